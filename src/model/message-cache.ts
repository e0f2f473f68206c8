/**
 * Converts only new messages: a longer history starts with the messages of a shorter one, as the same objects. Law: the result
 * equals a conversion of all messages. Only the end is compared, because comparing thousands of messages is slow. By a law of
 * thread/prompt.ts, two prompts that share a message share all messages before it.
 */

import type { PromptMessage } from "../thread/prompt.ts";
import { type LoadedPictures, picturesOf } from "./images.ts";
import { messageParam, type WireMessage } from "./messages.ts";

/** Keyed by first message, which a conversation keeps once answered; the entry is dropped together with that message. */
export type MessageCache = WeakMap<PromptMessage, Known>;

interface Known {
  messages: readonly PromptMessage[];
  /** Messages as they are sent without pictures. */
  readonly sent: WireMessage[];
  /** Number of entries of `sent` before each message: some messages cannot be sent. */
  readonly starts: number[];
  pictured: Pictured[];
}

interface Pictured {
  readonly message: PromptMessage;
  /** Index in `messages`, and index of its entry in `sent`. */
  readonly index: number;
  readonly start: number;
}

interface Taken {
  readonly sent: WireMessage[];
  readonly pictured: readonly Pictured[];
}

/** `to`: the model that reads the messages, the same for a whole cache. */
export const cachedMessages = (messages: readonly PromptMessage[], made: MessageCache, to: string): Taken => {
  const [first] = messages;
  if (first === undefined) return { sent: [], pictured: [] };
  const known = made.get(first) ?? { messages: [], sent: [], starts: [], pictured: [] };
  made.set(first, known);
  cut(known, sharedWith(known, messages));
  for (const message of messages.slice(known.starts.length)) add(known, message, to);
  known.messages = messages;
  return { sent: [...known.sent], pictured: [...known.pictured] };
};

/** A picture may be sent in one request and replaced by text in the next. */
export const fillPictures = ({ sent, pictured }: Taken, pictures: LoadedPictures, to: string): void => {
  for (const { message, start } of pictured) {
    if (!picturesOf(message).some(({ hash }) => pictures.has(hash))) continue;
    const param = messageParam(message, pictures, to);
    if (param !== null) sent[start] = param;
  }
};

const NO_PICTURES: LoadedPictures = new Map();

const sharedWith = (known: Known, messages: readonly PromptMessage[]): number => {
  let count = Math.min(known.messages.length, messages.length);
  while (count > 0 && known.messages[count - 1] !== messages[count - 1]) count -= 1;
  return count;
};

const cut = (known: Known, count: number): void => {
  known.sent.length = known.starts[count] ?? known.sent.length;
  known.starts.length = count;
  if ((known.pictured.at(-1)?.index ?? -1) < count) return;
  known.pictured = known.pictured.filter(({ index }) => index < count);
};

const add = ({ sent, starts, pictured }: Known, message: PromptMessage, to: string): void => {
  if (picturesOf(message).length > 0) {
    pictured.push({ message, index: starts.length, start: sent.length });
  }
  starts.push(sent.length);
  const param = messageParam(message, NO_PICTURES, to);
  if (param !== null) sent.push(param);
};
