/**
 * What is made of a conversation's messages, once: a longer history has a shorter one's messages as its prefix, the same
 * objects, so that a request makes only what is new, and copies the list.
 *
 * Law: what comes out equals what would be made of all messages anew, whichever tellings of a conversation were asked
 * before. It rests on that of core/prompt.ts: where two tellings share a message, they share all before it. The end is
 * looked at and not each message, because looking at thousands that are in no cache took longer than all else.
 */

import type { PromptMessage } from "../thread/prompt.ts";
import { type LoadedPictures, picturesOf } from "./images.ts";
import { messageParam, type WireMessage } from "./messages.ts";

/** By first message, which a conversation keeps once it is answered, and which goes with it. */
export type MessageCache = WeakMap<PromptMessage, Known>;

/** Grows in place. */
interface Known {
  messages: readonly PromptMessage[];
  /** As they are sent where no picture is. */
  readonly sent: WireMessage[];
  /** How many of `sent` stand before each message: some messages cannot be sent. */
  readonly starts: number[];
  pictured: Pictured[];
}

interface Pictured {
  readonly message: PromptMessage;
  /** Its index in `messages`, and that of what is sent of it. */
  readonly index: number;
  readonly start: number;
}

interface Taken {
  /** The caller's own. */
  readonly sent: WireMessage[];
  readonly pictured: readonly Pictured[];
}

/** `to`: the model that reads them, the same for all of a cache. */
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

/** Pictures may be sent in one request and told in words in the next. */
export const fillPictures = ({ sent, pictured }: Taken, pictures: LoadedPictures, to: string): void => {
  for (const { message, start } of pictured) {
    if (!picturesOf(message).some(({ hash }) => pictures.has(hash))) continue;
    const param = messageParam(message, pictures, to);
    if (param !== null) sent[start] = param;
  }
};

const NO_PICTURES: LoadedPictures = new Map();

/** How many messages are the same, from the first on. */
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
