/**
 * A person's question put into a thread, or a thread opened with it. The nonce keeps a repeat of the call from putting it
 * twice; a private thread has none, and a crash at the wrong moment leaves an empty one behind.
 */

import { MessageFlags } from "discord-api-types/v10";
import type { ChatPlatform, PutResult } from "../../../src/ports/chat-platform.ts";
import { neutralise } from "../../text/neutral.ts";
import { splitMarkdown } from "../../text/split.ts";
import { unreadOf } from "../read/people.ts";
import { postMessage } from "./post-message.ts";
import { openThread, startPrivateThread } from "./start-thread.ts";
import { nameOf } from "./thread-name.ts";
import type { Calls } from "./api.ts";

const MAX_TEXT = 1_500;

type Put = ChatPlatform["put"];
type Question = Omit<Parameters<Put>[1], "say">;

/** In the channel, or in the thread that hangs on `root`, which is opened where it is not there. */
export const createPostedQuestion =
  (calls: Calls): Put =>
  async (where, question) => {
    try {
      const channel = where.root ?? where.place;
      if (where.root !== null) await openThread(calls, where.place, where.root);
      return { kind: "put", message: await write(calls, channel, question) };
    } catch (error) {
      return refusal(error);
    }
  };

/** In a private thread of the person. Its id stands for the message. */
export const createPrivateQuestion =
  (calls: Calls): Put =>
  async ({ place }, question) => {
    try {
      const made = await startPrivateThread(calls, place, nameOf(`Question: ${question.text}`));
      await calls.call("PUT", `/channels/${made}/thread-members/${question.person}`);
      await write(calls, made, question);
      return { kind: "put", message: made };
    } catch (error) {
      return refusal(error);
    }
  };

const ASKED = "asked by ";

/** Whether a Parley put it: it carries no mark. */
export const isAsked = (content: string): boolean => /^> [^]*\nasked by <@\d+>$/.test(content);

const write = async (calls: Calls, channel: string, { id, person, text }: Question): Promise<string> => {
  return postMessage(calls, channel, id, {
    content: [...quoted(text), `${ASKED}<@${person}>`].join("\n"),
    flags: MessageFlags.SuppressEmbeds,
    allowed_mentions: { parse: [] },
  });
};

/** How it begins, where it is long. */
export const quoted = (text: string): readonly string[] => {
  const [shown = ""] = splitMarkdown(neutralise(text), { units: "utf16", max: MAX_TEXT });
  return shown.split("\n").map((line) => `> ${line}`);
};

const refusal = (error: unknown): PutResult => ({
  kind: "refused",
  why: `The thread could not be opened here. ${unreadOf(error).why}. Parley needs to see the channel, write in it and create threads.`,
});
