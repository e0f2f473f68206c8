/**
 * A person's question put into a thread, or a thread opened with it. The nonce keeps a repeat of the call from putting it
 * twice; a private thread has none, and a crash at the wrong moment leaves an empty one behind.
 */

import { MessageFlags } from "discord-api-types/v10";
import type { ChatPlatform, PutResult } from "../../../src/ports/chat-platform.ts";
import { neutralize } from "../../text/neutral.ts";
import { splitMarkdown } from "../../text/split.ts";
import { isNewer } from "../read/message.ts";
import { discordUnreadOf } from "../read/people.ts";
import { createPost, findPost } from "./forum-post.ts";
import type { LineDeps } from "./host-line.ts";
import { postDiscordMessage } from "./post-message.ts";
import { openThread, startPrivateThread } from "./start-thread.ts";
import { threadNameOf } from "./thread-name.ts";
import type { DiscordCalls } from "../api/calls.ts";

const MAX_TEXT = 1_500;

type Put = ChatPlatform["put"];
type Question = Omit<Parameters<Put>[1], "say">;

/** In the channel, or in the thread that hangs on `root`, which is opened where it is not there. In a forum it begins a post. */
export const createDiscordPostedQuestion =
  ({ calls, isForum, self }: LineDeps): Put =>
  async (where, question) => {
    try {
      if (where.root === null && isForum(where.place)) {
        return { kind: "put", message: await writePost(calls, where.place, self() ?? "", question) };
      }
      const channel = where.root ?? where.place;
      if (where.root !== null) await openThread(calls, where.place, where.root);
      return { kind: "put", message: await write(calls, channel, question) };
    } catch (error) {
      return refusal(error);
    }
  };

/** In a private thread of the person. Its id stands for the message. */
export const createPrivateQuestion =
  (calls: DiscordCalls): Put =>
  async ({ place }, question) => {
    try {
      const made = await startPrivateThread(calls, place, threadNameOf(`Question: ${question.text}`));
      await calls.call("PUT", `/channels/${made}/thread-members/${question.person}`);
      await write(calls, made, question);
      return { kind: "put", message: made };
    } catch (error) {
      return refusal(error);
    }
  };

const ASKED = "asked by ";

/** Whether a Parley put it: it carries no mark. */
export const isQuestionMessage = (content: string): boolean => /^> [^]*\nasked by <@\d+>$/.test(content);

const write = (calls: DiscordCalls, channel: string, question: Question): Promise<string> =>
  postDiscordMessage(calls, channel, question.id, bodyOf(question));

/** A post has no nonce: one that this click put before is newer than the click. */
const writePost = async (
  calls: DiscordCalls,
  forum: string,
  bot: string,
  question: Question,
): Promise<string> => {
  const body = bodyOf(question);
  const click = /\d+$/.exec(question.id)?.[0] ?? "";
  const before = await findPost(
    calls,
    { forum, bot },
    ({ id, content }) => click !== "" && isNewer(id, click) && content === body.content,
  );
  return before ?? createPost(calls, { forum, name: threadNameOf(question.text), message: body });
};

const bodyOf = ({ person, text }: Question) => ({
  content: [...quoteForDiscord(text), `${ASKED}<@${person}>`].join("\n"),
  flags: MessageFlags.SuppressEmbeds,
  allowed_mentions: { parse: [] },
});

/** How it begins, where it is long. */
export const quoteForDiscord = (text: string): readonly string[] => {
  const [shown = ""] = splitMarkdown(neutralize(text), { units: "utf16", max: MAX_TEXT });
  return shown.split("\n").map((line) => `> ${line}`);
};

const refusal = (error: unknown): PutResult => ({
  kind: "refused",
  why: `The thread could not be opened here. ${discordUnreadOf(error).why}. Parley needs to see the channel, write in it and create threads.`,
});
