import * as z from "zod";
import type { DiscordCalls } from "../api/calls.ts";
import { user } from "./visible.ts";

const bits = z.string().regex(/^\d+$/);

export const channel = z.object({
  id: z.string(),
  type: z.int(),
  flags: z.int().default(0),
  name: z.string().nullish(),
  guild_id: z.string().optional(),
  parent_id: z.string().nullish(),
  owner_id: z.string().optional(),
  recipients: z.array(user).default([]),
  applied_tags: z.array(z.string()).default([]),
  available_tags: z
    .array(z.object({ id: z.string(), name: z.string(), moderated: z.boolean().default(false) }))
    .default([]),
  permission_overwrites: z.array(z.object({ id: z.string(), allow: bits, deny: bits })).default([]),
  thread_metadata: z
    .object({ archived: z.boolean().default(false), locked: z.boolean().default(false) })
    .optional(),
});

/** Rejects with Discord's error. */
export const readDiscordChannel = async (
  calls: DiscordCalls,
  id: string,
): Promise<z.output<typeof channel>> => channel.parse(await calls.call("GET", `/channels/${id}`));
