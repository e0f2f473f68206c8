/**
 * Looks after pull requests, on the leader. Each step is stored before its effect, and each effect finds the result of an
 * earlier try: posts and messages by their ids, pushes by their commits. So a restart at any point continues.
 */

import { type ConversationId, DAY, HOUR, type Millis } from "../../../machine/id.ts";
import type { Refusal } from "../../../machine/refusal.ts";
import type { ConversationChange, Detail } from "../../../ports/bot.ts";
import { createRepeatingTask } from "../../../runtime/bot/repeating-task.ts";
import { type TendedPull, tendStep, type TendEnd } from "./bounds.ts";
import { cardIn, decideCard } from "./decide-push.ts";
import { hasTendEdits } from "./edits.ts";
import { type ForgeFacts, readForgeFacts, tendProject, type TendProject } from "./forge-facts.ts";
import type { TurnChange } from "./rows.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { tendMessage, tendSpeaker } from "./turn-text.ts";
import { endLine, pushedLine, turnLine } from "./words.ts";

/** Time between two looks at the forge. */
export const TEND_LOOK: Millis = HOUR / 60;
/** Longest time between two looks while nothing changes. */
const CALM_LOOK: Millis = HOUR / 6;
const MAX_LOOK: Millis = HOUR / 2;
/** How often a turn for the same cause begins, if it is interrupted or fails. */
const MAX_TRIES = 2;

export const createTendRunner = (deps: RunnerDeps) => {
  const { rows, bot, clock, log } = deps;
  /** Next look at the forge, and the latest wait, by pull request. Memory is enough: a restart looks at once. */
  const looks = new Map<string, Look>();
  const conversations = new Set<ConversationId>();
  /** Cards that people decide. A restart looks at them once more. */
  const left = new Set<string>();

  const rounds = createRepeatingTask(clock, async () => {
    const active = rows.active();
    conversations.clear();
    for (const { conversation } of active) conversations.add(conversation);
    for (const pull of active) {
      if (rounds.ending.aborted) return;
      await round(pull.id);
    }
    const still = rows.active();
    if (still.length > 0) {
      const now = clock.now();
      const soonest = Math.min(...still.map(({ id }) => tendDue(looks.get(id)?.at, now)));
      rounds.wakeAfter(Math.min(TEND_LOOK, soonest - now));
    }
  });

  /** Continues until nothing changes without the forge or the conversation. */
  const round = async (id: string): Promise<void> => {
    for (let steps = 0; steps < 8; steps += 1) {
      const pull = rows.find(id);
      if (pull === null || rounds.ending.aborted || !(await advance(pull))) return;
    }
  };

  /** Returns whether something has changed. */
  const advance = async (pull: TendedPull): Promise<boolean> => {
    if (!(await tellPushes(pull))) return false;
    if (pull.ended !== null) return close(pull, pull.ended);
    const detail = await bot.read(pull.conversation);
    const place = detail === null ? null : tendProject(deps.forges, detail.conversation.repo);
    if (detail === null || place === null || detail.state.phase.kind === "exhausted")
      return end(pull, "thread");
    if (pull.phase === "running") return follow(pull, detail, place);
    if (clock.now() >= pull.ends) return end(pull, "time");
    if (isBusy(detail) || clock.now() < (looks.get(pull.id)?.at ?? 0)) return false;
    return pull.phase === "due" ? begin(pull, detail, place) : look(pull, place);
  };

  const end = async ({ id }: TendedPull, why: TendEnd): Promise<boolean> => {
    const done = await rows.end(id, why);
    return done.kind === "done";
  };

  const close = async (pull: TendedPull, why: TendEnd): Promise<boolean> => {
    const detail = await bot.read(pull.conversation);
    if (detail !== null && isOwnTurn(pull, detail) && WORKING.has(detail.state.phase.kind))
      await bot.act(pull.conversation, { kind: "stop", by: tendSpeaker(pull).id });
    if (detail !== null && !(await deps.tell(pull, "end", endLine(pull, why, deps.sayIn(pull)))))
      return false;
    looks.delete(pull.id);
    await rows.toldEnd(pull.id);
    return false;
  };

  const tellPushes = async (pull: TendedPull): Promise<boolean> => {
    const made = rows.pushes(pull.id);
    for (const { no, commit, standing, told } of made) {
      if (standing !== "landed" || told || commit === null) continue;
      const facts = { commit, made, spent: deps.spent(pull) };
      if (!(await deps.tell(pull, `push ${no}`, pushedLine(pull, facts, deps.sayIn(pull))))) return false;
      await rows.toldPush(pull.id, no);
    }
    return true;
  };

  /** Follows a running turn: decides about its card, and notices its end. */
  const follow = async (pull: TendedPull, detail: Detail, place: TendProject): Promise<boolean> => {
    if (clock.now() >= pull.ends) return end(pull, "time");
    const card = cardIn(pull, detail);
    if (card !== null) {
      // People decide about a card that is left over.
      if (left.has(card.wire) || clock.now() < (looks.get(pull.id)?.at ?? 0)) return false;
      if (await decideCard(deps, pull, card, place, rounds.ending)) left.add(card.wire);
      else later(pull, TEND_LOOK);
      return false;
    }
    if (isOwnTurn(pull, detail) && isBusy(detail)) return false;
    const { end: how } = detail.state.turn;
    const { phase } = detail.state;
    if (
      isOwnTurn(pull, detail) &&
      phase.kind === "failed" &&
      phase.failure.kind === "budget" &&
      deps.spent(pull) >= pull.budget
    )
      return end(pull, "money");
    const isBroken = isOwnTurn(pull, detail) && (how?.why === "interrupted" || how?.why === "failed");
    looks.delete(pull.id);
    return isBroken && pull.tries < MAX_TRIES
      ? change(pull, { phase: "due", turn: pull.turn + 1 })
      : change(pull, { phase: "watching", tries: 0 });
  };

  const change = async (pull: TendedPull, to: Partial<TurnChange>): Promise<boolean> => {
    const { phase, turn, tries, cause, checked, seen } = { ...pull, ...to };
    const done = await rows.turn(pull.id, { phase, turn, tries, cause, checked, seen });
    return done.kind === "done";
  };

  /** Edits of an interrupted turn of this click stay its own. Null if the result cannot be stored. */
  const withEdits = async (pull: TendedPull, detail: Detail): Promise<TendedPull | null> => {
    const isAgain = pull.tries > 0 && isOwnTurn(pull, detail) && detail.state.turn.authors === undefined;
    if (isAgain) return pull;
    const hadEdits = await hasTendEdits(deps, detail, rounds.ending);
    if (hadEdits === (pull.cause.hadEdits === true)) return pull;
    const cause = { ...pull.cause, hadEdits };
    return (await change(pull, { cause })) ? { ...pull, cause } : null;
  };

  /** Begins the stored turn. The model's input is read again from the forge. */
  const begin = async (stored: TendedPull, detail: Detail, place: TendProject): Promise<boolean> => {
    const pull = await withEdits(stored, detail);
    if (pull === null) return false;
    const handled = pull.seen.filter((id) => !pull.cause.remarks.includes(id));
    const read = await readForgeFacts(
      place,
      { ...pull, seen: handled },
      rounds.ending,
      pull.cause.checks ? "logs" : "states",
    );
    if (read.kind === "trouble") return troubled(pull, read.wait);
    if (pull.trouble !== null) await rows.trouble(pull.id, null);
    const facts = read.value;
    if (facts.head !== pull.head || facts.state === "closed" || facts.state === "merged")
      return change(pull, { phase: "watching", tries: 0 });
    if (!(await deps.tell(pull, `turn ${pull.turn}`, turnLine(pull, facts, deps.sayIn(pull))))) return false;
    await deps.limit(pull);
    const said = await bot.say({
      surface: "pull",
      id: `${pull.id}/${pull.turn}`,
      conversation: pull.conversation,
      speaker: tendSpeaker(pull),
      ...tendMessage(pull, pull.cause, facts, clock.now()),
    });
    switch (said.kind) {
      case "accepted":
      case "duplicate":
        return change(pull, { phase: "running", tries: pull.tries + 1 });
      case "refused":
        // A refused message is never accepted later.
        if (!BUSY.has(said.why)) return end(pull, "thread");
        return change(pull, { turn: pull.turn + 1 });
      case "unknown":
        return end(pull, "thread");
      case "failed":
        later(pull, TEND_LOOK);
        return false;
    }
  };

  const look = async (pull: TendedPull, place: TendProject): Promise<boolean> => {
    const now = clock.now();
    const read = await readForgeFacts(place, pull, rounds.ending, "states");
    if (rounds.ending.aborted) return false;
    if (read.kind === "trouble") return troubled(pull, read.wait);
    if (pull.trouble !== null) await rows.trouble(pull.id, null);
    const state = stateOf(read.value);
    const before = looks.get(pull.id);
    const wait = before?.state === state ? Math.min(CALM_LOOK, 2 * before.wait) : TEND_LOOK;
    looks.set(pull.id, { at: now + wait, wait, state });
    const facts = { ...read.value, now, spent: deps.spent(pull), made: rows.pushes(pull.id) };
    const step = tendStep(pull, facts);
    switch (step.kind) {
      case "end":
        return end(pull, step.why);
      case "arrived":
        return (await rows.landed(pull.id, step.head)).kind === "done";
      case "turn": {
        const { cause, ignored } = step;
        looks.delete(pull.id);
        return change(pull, {
          phase: "due",
          turn: pull.turn + 1,
          tries: 0,
          cause,
          checked: cause.checks ? pull.head : pull.checked,
          seen: [...pull.seen, ...cause.remarks, ...ignored],
        });
      }
      case "wait":
        if (step.ignored.length > 0) await change(pull, { seen: [...pull.seen, ...step.ignored] });
        return false;
    }
  };

  /** Waits longer after each failure, at least as long as the forge demands. */
  const troubled = async (pull: TendedPull, wanted: Millis | undefined): Promise<boolean> => {
    if (rounds.ending.aborted) return false;
    const now = clock.now();
    const since = pull.trouble ?? now;
    if (now - since >= DAY) return end(pull, "forge");
    if (pull.trouble === null) await rows.trouble(pull.id, now);
    log.warn("forge: pull request not read, retry scheduled", { conversation: pull.conversation });
    later(pull, Math.max(wanted ?? 0, Math.min(MAX_LOOK, 2 * (looks.get(pull.id)?.wait ?? TEND_LOOK / 2))));
    return false;
  };

  const later = ({ id }: TendedPull, wait: Millis): void => {
    looks.set(id, { at: clock.now() + wait, wait });
  };

  return {
    wake: rounds.wake,
    settled: rounds.settled,
    heard: (id: ConversationId, { kind }: ConversationChange): void => {
      if ((kind === "state" || kind === "gone") && conversations.has(id)) rounds.wake();
    },
    close: rounds.close,
  };
};

interface Look {
  readonly at: Millis;
  readonly wait: Millis;
  /** State of the pull request; absent if the look failed. */
  readonly state?: string;
}

const stateOf = ({ state, head, checks, failed, remarks, ignored }: ForgeFacts): string =>
  JSON.stringify([state, head, checks, failed.map(({ name }) => name), remarks, ignored]);

/** A time that has passed is ignored: the round waits for a change, such as the end of another turn or the platform's return. */
export const tendDue = (at: Millis | undefined, now: Millis): Millis =>
  at !== undefined && at > now ? at : now + TEND_LOOK;

const isOwnTurn = (pull: TendedPull, { state }: Detail): boolean =>
  state.turn.speaker?.id === tendSpeaker(pull).id;

const isBusy = ({ state: { phase } }: Detail): boolean => phase.kind !== "idle" && phase.kind !== "failed";

/** A later turn has begun meanwhile. */
const BUSY: ReadonlySet<Refusal> = new Set([
  "agent_busy",
  "awaiting_approval",
  "answer_held",
  "answer_awaited",
  "cancellation_in_progress",
  "summarizing",
]);

const WORKING: ReadonlySet<string> = new Set(["thinking", "running", "awaitingAgents"]);
