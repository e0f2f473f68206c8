/**
 * The kind of message that Discord takes from us: components v2, or, once it has refused one and taken the same as a plain
 * message, plain ones for as long as the process lives. Owns: which of the two, and how long a text may
 * be. A message stays of the kind that it was made as.
 */

import { DiscordAPIError } from "discord.js";
import type { Content } from "../../../src/ports/surface.ts";
import { made } from "../../post/trouble.ts";
import { bodyOf, MAX_PLAIN, plainBodyOf } from "./blocks.ts";

export type Body = ReturnType<typeof bodyOf> | ReturnType<typeof plainBodyOf>;

type Call = (body: Body) => Promise<unknown>;

export interface Format {
  /** UTF-16 code units of a text that fits, what is set around it included. */
  readonly text: number;
  /** A new message, in the form that is taken. Null: nothing was sent, the text is longer than `text` now says. */
  make(content: Content, wire: string, call: Call): Promise<unknown>;
  /** The same for one that is there already, whichever kind it was made as. `id`: of the message. */
  change(id: string, content: Content, wire: string, call: Call): Promise<unknown>;
  /** A new message has that id. */
  made(id: string): void;
}

/** For the marks of small print. */
const ROOM = 100;
const BAD_REQUEST = 400;
const REMEMBERED = 5_000;

/** `rich`: units of text in a message of components v2. */
export const createFormat = (rich: number): Format => {
  let text = rich;
  let isPlain = false;
  /** The newest messages that were made as plain ones. */
  const plain = new Set<string>();

  return {
    get text() {
      return text;
    },
    make: async (content, wire, call) => {
      if (isPlain) return plainly(content, wire, call);
      try {
        return await richly(content, wire, call);
      } catch (error) {
        if (!isRefused(error)) throw error;
        text = MAX_PLAIN - ROOM;
        const made = await otherwise(plainly(content, wire, call), error);
        isPlain = made !== null;
        return made;
      }
    },
    made: (id) => {
      if (!isPlain) return;
      plain.add(id);
      for (const oldest of plain) {
        if (plain.size <= REMEMBERED) return;
        plain.delete(oldest);
      }
    },
    change: async (id, content, wire, call) => {
      const [first, second] = plain.has(id) ? [plainly, richly] : [richly, plainly];
      try {
        return await first(content, wire, call);
      } catch (error) {
        if (!isRefused(error)) throw error;
        return otherwise(second(content, wire, call), error);
      }
    },
  };
};

const richly = (content: Content, wire: string, call: Call): Promise<unknown> =>
  call(made(() => bodyOf(content, wire)));

const plainly = async (content: Content, wire: string, call: Call): Promise<unknown> => {
  const body = made(() => plainBodyOf(content, wire));
  return body.content.length > MAX_PLAIN ? null : call(body);
};

/** Where both forms are refused, the first refusal tells. */
const otherwise = (call: Promise<unknown>, first: unknown): Promise<unknown> =>
  call.catch((error: unknown) => {
    throw isRefused(error) ? first : error;
  });

const isRefused = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.status === BAD_REQUEST && error.code === INVALID_FORM;

/** "Invalid Form Body": what was said was understood and is not taken. An archived thread is told by a code of its own. */
const INVALID_FORM = 50_035;
