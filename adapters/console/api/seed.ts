/**
 * `seedFrom`: a new conversation that goes on from another one, with its summary (BED-021). There is one
 * such conversation for each, so asking again gives the same one.
 */

import type { ConversationId } from "../../../src/machine/id.ts";
import type { Exhausted } from "../../../src/machine/state.ts";
import type { Speaker } from "../../../src/machine/words.ts";
import type { Bot, Overview } from "../../../src/ports/bot.ts";
import { failedAnswer, problem, unknownConversation } from "./problem.ts";

/** The conversation, or why there is none. `given`: ends the wait. */
export const goOnFrom = async (
  bot: Bot,
  id: ConversationId,
  by: Speaker,
  given: AbortSignal,
): Promise<Overview | Response> => {
  const detail = await bot.read(id);
  if (detail === null) return unknownConversation();
  const { phase } = detail.state;
  if (phase.kind !== "exhausted") return NOT_ENDED();
  const made = nextOf(bot, id, given);
  const asked = await bot.act(id, { kind: "move", seed: seedOf(phase), by });
  const isThere = asked.kind === "done" || (asked.kind === "refused" && asked.why === "already_continued");
  if (!isThere) return failedAnswer(asked);
  const next = phase.next ?? (await made);
  return (next === null ? null : await bot.read(next)) ?? NOT_MADE();
};

const seedOf = ({ summary }: Exhausted) => (summary === null ? "empty" : "summary");

/** Settles when it is there; null where it could not be made, or the wait ended. */
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

const NOT_ENDED = (): Response =>
  problem({
    status: 409,
    code: "not_available",
    message: "That conversation has not ended. The action `continue` asks it for a summary to go on with.",
  });

const NOT_MADE = (): Response =>
  problem({
    status: 503,
    code: "not_continued",
    message: "The new conversation is not there yet. Ask again: there is never more than one.",
  });
