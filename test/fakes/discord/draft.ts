/** The body of a message on its way in, read once it fits Discord's description. */

import { z } from "zod";
import type { Ask } from "./route.ts";
import type { Discord } from "./discord.ts";
import type { Draft } from "./content.ts";
import type { Attachment, Json, Message } from "./world.ts";

const record = z.record(z.string(), z.unknown());

const bodySchema = z.object({
  content: z.string().nullish(),
  components: z.array(record).nullish(),
  embeds: z.array(record).nullish(),
  flags: z.int().nullish(),
  nonce: z.union([z.string(), z.int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  allowed_mentions: z.unknown().optional(),
  attachments: z
    .array(
      z.object({
        id: z.union([z.string(), z.int()]),
        filename: z.string().nullish(),
        description: z.string().nullish(),
      }),
    )
    .nullish(),
  message_reference: z
    .object({ message_id: z.string(), fail_if_not_exists: z.boolean().nullish() })
    .nullish(),
});

export type MessageBody = z.output<typeof bodySchema>;

export const messageBody = (body: unknown): MessageBody => bodySchema.parse(body);

/** The files that came with the request, as attachments. */
export const uploaded = ({ world }: Discord, body: MessageBody, files: Ask["files"]): readonly Attachment[] =>
  files.map(({ field, name, type, bytes }) => {
    const index = /\d+/.exec(field)?.[0];
    const told = body.attachments?.find(({ id }) => String(id) === index);
    return {
      id: world.nextId(),
      name: keptName(told?.filename ?? name),
      type: type === "" ? "application/octet-stream" : type,
      description: told?.description ?? null,
      bytes,
    };
  });

/** Discord changes what it does not like in a name. */
const keptName = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]+/g, "_");

/** What a server without boosts takes, in bytes. */
export const MAX_FILE = 10 * 1_048_576;

/** The message as an edit leaves it: what is not mentioned stays, attachments that are not kept go. */
export const edited = (
  discord: Discord,
  before: Message,
  body: MessageBody,
  files: Ask["files"],
): Message => ({
  ...before,
  content: body.content === undefined ? before.content : (body.content ?? ""),
  components: body.components === undefined ? before.components : (body.components ?? []),
  embeds: body.embeds === undefined ? before.embeds : (body.embeds ?? []),
  flags:
    body.flags === undefined || body.flags === null ? before.flags : (before.flags & UNSETTABLE) | body.flags,
  attachments: [
    ...before.attachments.filter(
      ({ id }) => body.attachments?.some((kept) => String(kept.id) === id) ?? true,
    ),
    ...uploaded(discord, body, files),
  ],
  editedAt: discord.clock.now(),
});

/** Flags that an edit cannot take away: ephemeral, has a thread, silent. */
const UNSETTABLE = (1 << 6) | (1 << 5) | (1 << 12);

export const draftOf = (message: {
  readonly content: string;
  readonly components: readonly Json[];
  readonly embeds: readonly Json[];
  readonly flags: number;
  readonly attachments: readonly Attachment[];
}): Draft => ({ ...message, attachments: message.attachments.map(({ name }) => name) });
