import * as z from "zod";
import type { Quote, SharedFile } from "../../../src/ports/chat.ts";
import type { DiscordNames } from "./plain.ts";
import { filesIn, displayNameOf, visibleContentOf, user, visible, visibleTextOf } from "./visible.ts";

/** A member in an event. `permissions` exists only with interactions and applies to their channel. */
export const member = z.object({
  nick: z.string().nullish(),
  roles: z.array(z.string()),
  pending: z.boolean().default(false),
  communication_disabled_until: z.string().nullish(),
  permissions: z.string().regex(/^\d+$/).optional(),
});

const replied = visible.extend({ id: z.string(), author: user });

export const discordMessage = visible.extend({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  type: z.int(),
  author: user,
  member: member.optional(),
  webhook_id: z.string().optional(),
  application_id: z.string().optional(),
  mention_roles: z.array(z.string()).default([]),
  referenced_message: replied.nullish().catch(null),
  edited_timestamp: z.string().nullish().catch(null),
});

export type MemberInfo = z.output<typeof member> & {
  readonly user: z.output<typeof user>;
  /** Present only with interactions. */
  readonly locale?: string;
};

export type DiscordMessage = z.output<typeof discordMessage>;

const EPOCH = 1_420_070_400_000n;

export const millisOfSnowflake = (id: string): number => Number((BigInt(id) >> 22n) + EPOCH);

export const idAt = (millis: number): string => String((BigInt(Math.max(0, millis)) - EPOCH) << 22n);

/** Compares as BigInt, because ids exceed the numbers of JSON. */
export const isNewer = (id: string, than: string): boolean => BigInt(id) > BigInt(than);

/** Returns the author's text. Button labels of Parley's own messages are omitted. */
export const textOf = (message: DiscordMessage, names: DiscordNames): string =>
  visibleTextOf(message, names, !names.isSelf(message.author.id));

export const discordFilesOf = (message: DiscordMessage): readonly SharedFile[] => filesIn(message);

/** Link previews, posts of apps and forwarded messages, which are untrusted content. */
export const discordContentOf = (message: DiscordMessage, names: DiscordNames): readonly Quote[] =>
  visibleContentOf(message, names, displayNameOf(message.author), millisOfSnowflake(message.id));

const REPLY = 19;

/**
 * Returns the message that a reply answers, as Discord displays it above the reply; null for any other
 * message.
 */
export const repliedOf = (
  { type, referenced_message: replied }: DiscordMessage,
  names: DiscordNames,
): {
  readonly id: string;
  readonly quotes: readonly Quote[];
  readonly files: readonly SharedFile[];
} | null => {
  if (type !== REPLY || replied === null || replied === undefined) return null;
  const author = displayNameOf(replied.author);
  const at = millisOfSnowflake(replied.id);
  const text = visibleTextOf(replied, names, !names.isSelf(replied.author.id));
  return {
    id: replied.id,
    quotes: [...(text === "" ? [] : [{ author, text, at }]), ...visibleContentOf(replied, names, author, at)],
    files: filesIn(replied, author),
  };
};
