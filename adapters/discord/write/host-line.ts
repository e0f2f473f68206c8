/**
 * Posts of the host that are in no ledger. Each carries a mark that is searched among the newest messages, so
 * that it is posted once. A nonce covers the moments before the message is visible.
 */

import { MessageFlags } from "discord-api-types/v10";
import * as z from "zod";
import type { Content } from "../../../src/ports/surface.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { bodyOf } from "./blocks.ts";
import { createPost, findPost } from "./forum-post.ts";
import { threadNameOf } from "./thread-name.ts";
import { noteKey } from "./message-key.ts";
import { idIn, postDiscordMessage } from "./post-message.ts";

const PAGE = "100";

/** Returns the message that carries the key; null if the newest messages do not include it. */
export const findLine = async (calls: DiscordCalls, channel: string, key: string): Promise<string | null> => {
  const answer = await calls.call("GET", `/channels/${channel}/messages`, { query: { limit: PAGE } });
  return messages.parse(answer).find(({ components }) => components[0]?.id === noteKey(key))?.id ?? null;
};

/**
 * `mentions`: notified people, in Discord's form; "silent" notifies no person. `more`: extra fields of the
 * message.
 */
export const putLine = (
  calls: DiscordCalls,
  channel: string,
  key: string,
  content: Content,
  mentions: object | "silent" = NOBODY,
  more: object = {},
): Promise<string> => {
  const isSilent = mentions === "silent";
  return postDiscordMessage(calls, channel, key, {
    ...more,
    flags: MessageFlags.IsComponentsV2 | (isSilent ? MessageFlags.SuppressNotifications : 0),
    components: partsOf(key, content),
    allowed_mentions: isSilent ? NOBODY : mentions,
  });
};

interface Line {
  readonly channel: string;
  readonly key: string;
  readonly content: Content;
  /** Text for the title of a forum post; the content if absent. */
  readonly title?: string;
  /** Notified people, in Discord's form; nobody if absent. */
  readonly mentions?: object;
}

export interface LineDeps {
  readonly calls: DiscordCalls;
  isForum(channel: string): boolean;
  self(): string | null;
}

/**
 * Posts the line once, even after a crash, and returns its id. `edits`: message to change instead, or null.
 * In a forum the line is the first message of a post, whose id is the post's.
 */
export const showLine = async (
  { calls, isForum, self }: LineDeps,
  line: Line,
  edits: string | null,
): Promise<string> => {
  const { channel, key, content, mentions = NOBODY } = line;
  if (edits === null) {
    if (isForum(channel)) return showPost({ calls, bot: self() ?? "" }, line);
    return (await findLine(calls, channel, key)) ?? putLine(calls, channel, key, content, mentions);
  }
  const where = isForum(channel) ? edits : channel;
  const body = { components: partsOf(key, content), allowed_mentions: NOBODY };
  return idIn(await calls.call("PATCH", `/channels/${where}/messages/${edits}`, { body }));
};

const showPost = async (
  { calls, bot }: { readonly calls: DiscordCalls; readonly bot: string },
  { channel: forum, key, content, title }: Line,
): Promise<string> => {
  const found = await findPost(calls, { forum, bot }, ({ components }) => components[0]?.id === noteKey(key));
  if (found !== null) return found;
  const message = {
    flags: MessageFlags.IsComponentsV2,
    components: partsOf(key, content),
    allowed_mentions: NOBODY,
  };
  return createPost(calls, { forum, name: threadNameOf(title ?? content.lead ?? content.text), message });
};

const partsOf = (key: string, content: Content) =>
  bodyOf(content, key).components.map((part, index) => (index === 0 ? { ...part, id: noteKey(key) } : part));

const NOBODY = { parse: [] };

const messages = z.array(
  z.object({ id: z.string(), components: z.array(z.object({ id: z.int().optional() })).default([]) }),
);
