/**
 * Posts a person's question into a thread, or opens a thread with it. The nonce prevents a second post after
 * a repeated call. A private thread has no nonce, so a crash at the wrong moment leaves an empty thread.
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

/**
 * Posts in the channel, or in the thread on `root`, which is opened if missing. In a forum the question
 * starts a post.
 */
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

/** Posts in a private thread of the person, whose id replaces the message's. */
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

/** Whether a Parley posted the question. Questions carry no mark. */
export const isQuestionMessage = (content: string): boolean => /^> [^]*\nasked by <@\d+>$/.test(content);

const write = (calls: DiscordCalls, channel: string, question: Question): Promise<string> =>
  postDiscordMessage(calls, channel, question.id, bodyOf(question));

/** A forum post has no nonce. An earlier post of the same click is newer than the click. */
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

/** Quotes the beginning of a long text. */
export const quoteForDiscord = (text: string): readonly string[] => {
  const [shown = ""] = splitMarkdown(neutralize(text), { units: "utf16", max: MAX_TEXT });
  return shown.split("\n").map((line) => `> ${line}`);
};

const refusal = (error: unknown): PutResult => ({
  kind: "refused",
  why: `The thread could not be opened here. ${discordUnreadOf(error).why}. Parley needs to see the channel, write in it and create threads.`,
});
