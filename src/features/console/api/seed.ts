/**
 * `seedFrom`: a new conversation that continues another one with its summary (BED-021). Each conversation has
 * one continuation, so that a repeated request returns the same conversation.
 */

import type { ConversationId } from "../../../machine/id.ts";
import type { ExhaustedPhase } from "../../../machine/state.ts";
import type { Speaker } from "../../../machine/vocabulary.ts";
import type { Bot, Overview } from "../../../ports/bot.ts";
import { type HttpProblem, refusal } from "../../../../adapters/http/problem.ts";
import { responseOfFailure, unknownConversation } from "./refusal.ts";

/** Returns the continuation; throws the reason if there is none. `given`: signal that ends the wait. */
export const goOnFrom = async (
  bot: Bot,
  id: ConversationId,
  by: Speaker,
  given: AbortSignal,
): Promise<Overview> => {
  const detail = await bot.read(id);
  if (detail === null) throw unknownConversation();
  const { phase } = detail.state;
  if (phase.kind !== "exhausted") throw refusal(NOT_ENDED);
  const made = nextOf(bot, id, given);
  const asked = await bot.act(id, { kind: "move", seed: seedOf(phase), by });
  const isThere = asked.kind === "done" || (asked.kind === "refused" && asked.why === "already_continued");
  if (!isThere) throw responseOfFailure(asked);
  const next = phase.next ?? (await made);
  const there = next === null ? null : await bot.read(next);
  if (there === null) throw refusal(NOT_MADE);
  return there;
};

const seedOf = ({ summary }: ExhaustedPhase) => (summary === null ? "empty" : "summary");

/** Resolves when the continuation exists; null if it could not be created or the wait ended. */
const nextOf = (bot: Bot, id: ConversationId, given: AbortSignal): Promise<ConversationId | null> =>
  new Promise((resolve) => {
    let wanted = false;
    const done = (next: ConversationId | null): void => {
      stop();
      resolve(next);
    };
    const stop = bot.subscribe(id, (change) => {
      if (change.kind !== "state") return;
      const { phase, branches } = change.overview.state;
      const isWanted = branches.some(({ seed }) => seed !== undefined);
      const next = phase.kind === "exhausted" ? phase.next : null;
      if (next !== null || (wanted && !isWanted)) done(next);
      wanted ||= isWanted;
    });
    given.addEventListener("abort", () => done(null), { once: true });
  });

const NOT_ENDED: HttpProblem = {
  status: 409,
  code: "not_available",
  message: "That conversation has not ended. The action `continue` asks it for a summary to go on with.",
};

const NOT_MADE: HttpProblem = {
  status: 503,
  code: "not_continued",
  message: "The new conversation is not there yet. Ask again: there is never more than one.",
};
