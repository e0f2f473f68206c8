/** Buttons that send a message on behalf of the person who clicks. Several clicks send one message. */

import type { MessageId } from "../../machine/id.ts";
import { nameOfAnswer } from "../../ports/feedback.ts";
import type { ActRequest, ActResult, Bot } from "../../ports/bot.ts";
import type { Claim } from "../../ports/claims.ts";
import type { Conversation } from "../../ports/conversation.ts";
import type { PostRow, Store } from "../../ports/store.ts";
import { finalAnswer } from "../../thread/turn-post.ts";
import { actResult } from "./decide.ts";
import type { Label } from "../../i18n/say.ts";

/** *Look deeper*: the default model answers again, after the model for first answers gave the last answer. */
export const askMainModel = async (
  { say, store, usual }: { readonly say: Bot["say"]; readonly store: Shown; readonly usual: string },
  { id: conversation, surface }: Conversation,
  { answer, speaker }: ActRequest & { readonly kind: "deeper" },
): Promise<ActResult> => {
  if (!isLatest(store.latestPosts(conversation), answer)) return nothing(PAST);
  const id = `deeper/${nameOfAnswer({ conversation, message: answer })}`;
  return sayOnce(say, { surface, id, conversation, speaker, text: DEEPER, images: [], model: usual });
};

const isLatest = (newestFirst: Iterable<PostRow>, answer: MessageId): boolean => {
  for (const { post } of newestFirst) if (post.body.kind === "turn") return finalAnswer(post.body) === answer;
  return false;
};

type Shown = Pick<Store, "latestPosts">;

const DEEPER =
  "Look deeper: answer my question before your last answer anew and more thoroughly. Take nothing of that answer for granted.";

const PAST: Label = "The thread has newer messages than that answer. Ask again instead.";

export const sayOnce = async (say: Bot["say"], claim: Omit<Claim, "at">): Promise<ActResult> => {
  const said = await say(claim);
  if (said.kind === "duplicate") return nothing("This question has already been asked.");
  return said.kind === "unknown" ? said : actResult(said);
};

const nothing = (why: Label): ActResult => ({ kind: "refused", why: "no_op", says: (say) => say(why) });
