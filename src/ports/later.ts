/** Messages that people send while a turn runs: a person chooses what happens to them, or the host's setting does (D51). */

import type { ConversationId } from "../machine/id.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { Speaker } from "../machine/vocabulary.ts";
import type { ActResult, Bot, SayResult } from "./bot.ts";
import type { Claim, ClaimKey, Message } from "./claims.ts";

type Later = Message & { readonly speaker: Speaker; readonly claim?: ClaimKey };

export type SendLaterResult =
  | { readonly kind: "done"; readonly as: "added" | "waiting" | "started" }
  | Exclude<ActResult, { readonly kind: "done" }>;

/** Adds a message to the turn, or lets it wait for the end of the turn. If no turn runs any more, the message starts one. */
export const sendLater = async (
  bot: Pick<Bot, "act" | "read">,
  conversation: ConversationId,
  how: "add" | "queue",
  message: Later,
): Promise<SendLaterResult> => {
  if (how === "add") {
    const added = await bot.act(conversation, { ...message, kind: "add" });
    if (added.kind === "done") return { kind: "done", as: "added" };
    if (added.kind !== "refused" || added.why !== "no_op") return added;
  }
  const queued = await bot.act(conversation, { ...message, kind: "queue" });
  if (queued.kind !== "done") return queued;
  const waiting = (await bot.read(conversation))?.state.waiting ?? [];
  const waits = waiting.some(({ speaker }) => speaker.id === message.speaker.id);
  return { kind: "done", as: waits ? "waiting" : "started" };
};

/** Sends a message. PARLEY_BUSY decides about a message that a person with write permission sends during a turn. */
export const sayOrSendLater = async (
  bot: Pick<Bot, "act" | "read" | "say" | "whenBusy">,
  message: Omit<Claim, "at">,
): Promise<SayResult | { readonly kind: "later"; readonly as: "added" | "waiting" }> => {
  const said = await bot.say(message);
  if (said.kind !== "refused" || !BUSY.has(said.why) || bot.whenBusy === "ask" || !message.speaker.mayDrive)
    return said;
  const { surface, id, conversation } = message;
  const how = bot.whenBusy === "add" ? "add" : "queue";
  const sent = await sendLater(bot, conversation, how, { ...message, claim: { surface, id } });
  if (sent.kind !== "done") return said;
  return sent.as === "started" ? { kind: "accepted" } : { kind: "later", as: sent.as };
};

/** Refusals of a message that end without an action. */
const BUSY: ReadonlySet<Refusal> = new Set([
  "agent_busy",
  "awaiting_approval",
  "answer_held",
  "answer_awaited",
  "cancellation_in_progress",
]);
