/** Messages as Discord sends them, parsed as far as they are used. Pure. */

import * as z from "zod";
import type { Quote, SharedFile } from "../../../src/ports/chat.ts";
import { plainText } from "./plain.ts";

export const user = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().default(false),
});

/** Of a member as events carry it: `permissions` only with interactions, in the channel where it happened. */
export const member = z.object({
  nick: z.string().nullish(),
  roles: z.array(z.string()),
  pending: z.boolean().default(false),
  communication_disabled_until: z.string().nullish(),
  permissions: z.string().regex(/^\d+$/).optional(),
});

const attachment = z.object({
  id: z.string(),
  filename: z.string(),
  content_type: z.string().nullish(),
  size: z.number(),
  url: z.string(),
});

const embed = z.object({
  title: z.string().nullish(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});

export const discordMessage = z.object({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  type: z.int(),
  content: z.string().default(""),
  author: user,
  member: member.optional(),
  webhook_id: z.string().optional(),
  application_id: z.string().optional(),
  mentions: z.array(user).default([]),
  attachments: z.array(z.unknown()).default([]),
  embeds: z.array(z.unknown()).default([]),
  components: z.array(z.object({ id: z.int().optional() })).default([]),
  referenced_message: z.object({ author: user }).nullish(),
});

/** What Discord says of a person with what they did. */
export type Seen = z.output<typeof member> & {
  readonly user: z.output<typeof user>;
  /** With interactions. */
  readonly locale?: string;
};

export type DiscordMessage = z.output<typeof discordMessage>;

export const nameOf = ({ global_name: shown, username }: z.output<typeof user>): string => shown ?? username;

const EPOCH = 1_420_070_400_000n;

export const millisOf = (id: string): number => Number((BigInt(id) >> 22n) + EPOCH);

export const idAt = (millis: number): string => String((BigInt(Math.max(0, millis)) - EPOCH) << 22n);

/** Ids are numbers that no number type of JSON holds. */
export const isNewer = (id: string, than: string): boolean => BigInt(id) > BigInt(than);

export const textOf = ({ content, mentions }: DiscordMessage, without: string): string =>
  plainText(content, new Map(mentions.map((one) => [one.id, nameOf(one)])), without);

export const filesOf = ({ attachments }: DiscordMessage): readonly SharedFile[] =>
  attachments.flatMap((one) => {
    const { data } = attachment.safeParse(one);
    if (data === undefined) return [];
    const { id, filename: name, content_type: type, size, url } = data;
    return [{ id, name, mediaType: type?.split(";")[0] ?? "application/octet-stream", size, url }];
  });

/** Previews of links, and what apps post: words of others. */
export const shownOf = ({ embeds, id }: DiscordMessage): readonly Quote[] =>
  embeds.flatMap((one) => {
    const { data } = embed.safeParse(one);
    const fields = data?.fields.map(({ name, value }) => `${name}: ${value}`) ?? [];
    const said = [data?.title, data?.description, ...fields].filter((part) => typeof part === "string");
    return said.length === 0
      ? []
      : [
          {
            author: "a link",
            text: [...(data?.url ? [data.url] : []), ...said].join("\n"),
            at: millisOf(id),
          },
        ];
  });
