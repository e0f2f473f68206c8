/** *Look deeper*: the usual model answers anew what the model of first answers has answered, once, for whoever may ask. */

import type { ConversationId } from "../../machine/id.ts";
import type { Speaker } from "../../machine/words.ts";
import type { ActResult, Detail } from "../../ports/bot.ts";
import type { AnswerId } from "../../ports/answers/answers.ts";
import { answerNamed } from "../../ports/answers/feedback.ts";
import { finalAnswer } from "../../thread/turn-post.ts";
import { sayOnce } from "../watch/look-into.ts";
import type { ChatDeps } from "./deps.ts";

export const lookDeeper = async (
  { bot, name, models }: Pick<ChatDeps, "bot" | "name" | "models">,
  conversation: ConversationId,
  speaker: Speaker,
  value: string,
): Promise<ActResult> => {
  const answer = answerNamed(value);
  const [usual] = models.all;
  const detail = await bot.read(conversation);
  if (answer === null || usual === undefined || detail === null) return { kind: "unknown" };
  if (answer.conversation !== conversation || !isLatest(detail, answer)) return PAST;
  const id = `deeper/${value}`;
  return sayOnce(bot, { surface: name, id, conversation, speaker, text: DEEPER, images: [], model: usual });
};

const isLatest = ({ posts }: Detail, { message }: AnswerId): boolean => {
  const last = posts.findLast(({ post }) => post.body.kind === "turn")?.post.body;
  return last?.kind === "turn" && finalAnswer(last) === message;
};

const DEEPER =
  "Look deeper: answer my question before your last answer anew and more thoroughly. Take nothing of that answer for granted.";

const PAST: ActResult = {
  kind: "refused",
  why: "no_op",
  by: null,
  at: null,
  says: "The thread has gone on since that answer. Ask again instead.",
};
