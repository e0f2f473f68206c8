/** Buttons that say something in the name of whoever presses them, once, whoever presses them again. */

import type { MessageId } from "../../machine/id.ts";
import { nameOfAnswer } from "../../ports/answers/feedback.ts";
import type { ActRequest, ActResult, Bot, Detail } from "../../ports/bot.ts";
import type { Claim } from "../../ports/claims.ts";
import { finalAnswer } from "../../thread/turn-post.ts";

/** *Look deeper*: the usual model answers anew what that of first answers has answered last. */
export const lookDeeper = async (
  say: Bot["say"],
  usual: string,
  detail: Detail,
  { answer, speaker }: ActRequest & { readonly kind: "deeper" },
): Promise<ActResult> => {
  const { id: conversation, surface } = detail.conversation;
  if (!isLatest(detail, answer)) return PAST;
  const id = `deeper/${nameOfAnswer({ conversation, message: answer })}`;
  return sayOnce(say, { surface, id, conversation, speaker, text: DEEPER, images: [], model: usual });
};

const isLatest = ({ posts }: Detail, answer: MessageId): boolean => {
  const last = posts.findLast(({ post }) => post.body.kind === "turn")?.post.body;
  return last?.kind === "turn" && finalAnswer(last) === answer;
};

const DEEPER =
  "Look deeper: answer my question before your last answer anew and more thoroughly. Take nothing of that answer for granted.";

const PAST: ActResult = {
  kind: "refused",
  why: "no_op",
  by: null,
  at: null,
  says: (inWords) => inWords("The thread has gone on since that answer. Ask again instead."),
};

export const sayOnce = async (say: Bot["say"], claim: Omit<Claim, "at">): Promise<ActResult> => {
  const said = await say(claim);
  switch (said.kind) {
    case "accepted":
      return { kind: "done" };
    case "refused":
      return { ...said, by: null, at: null };
    case "duplicate":
      return {
        kind: "refused",
        why: "no_op",
        by: null,
        at: null,
        says: (inWords) => inWords("Somebody has asked that already."),
      };
    case "unknown":
    case "failed":
      return said;
  }
};
