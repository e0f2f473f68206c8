/**
 * A line of the host that no ledger has. It carries a mark by which it is found among the newest messages, so that it is put
 * once, and a nonce for the moments in which it is not there yet.
 */

import { MessageFlags } from "discord-api-types/v10";
import * as z from "zod";
import type { Content } from "../../../src/ports/surface.ts";
import type { Calls } from "./api.ts";
import { bodyOf } from "./blocks.ts";
import { noteKey } from "./message-key.ts";
import { idIn, postMessage } from "./post-message.ts";

const PAGE = "100";

/** The message that carries the key; null where none of the newest does. */
export const findLine = async (calls: Calls, channel: string, key: string): Promise<string | null> => {
  const answer = await calls.call("GET", `/channels/${channel}/messages`, { query: { limit: PAGE } });
  return messages.parse(answer).find(({ components }) => components[0]?.id === noteKey(key))?.id ?? null;
};

/** `mentions`: whom it calls, as Discord takes them; "silent": it notifies nobody. */
export const putLine = (
  calls: Calls,
  channel: string,
  key: string,
  content: Content,
  mentions: object | "silent" = NOBODY,
): Promise<string> => {
  const isSilent = mentions === "silent";
  return postMessage(calls, channel, key, {
    flags: MessageFlags.IsComponentsV2 | (isSilent ? MessageFlags.SuppressNotifications : 0),
    components: partsOf(key, content),
    allowed_mentions: isSilent ? NOBODY : mentions,
  });
};

interface Line {
  readonly channel: string;
  readonly key: string;
  readonly content: Content;
}

/** Puts it once, whatever crashes; `edits`: the message that reads so from now on, or null. Answers its id. */
export const showLine = async (calls: Calls, line: Line, edits: string | null): Promise<string> => {
  const { channel, key, content } = line;
  if (edits === null) return (await findLine(calls, channel, key)) ?? putLine(calls, channel, key, content);
  const body = { components: partsOf(key, content), allowed_mentions: NOBODY };
  return idIn(await calls.call("PATCH", `/channels/${channel}/messages/${edits}`, { body }));
};

const partsOf = (key: string, content: Content) =>
  bodyOf(content, key).components.map((part, index) => (index === 0 ? { ...part, id: noteKey(key) } : part));

const NOBODY = { parse: [] };

const messages = z.array(
  z.object({ id: z.string(), components: z.array(z.object({ id: z.int().optional() })).default([]) }),
);
