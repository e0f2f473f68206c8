/**
 * Looks after pull requests, on the leader. Each step is stored before its effect, and each effect finds the result of an
 * earlier try: posts and messages by their ids, pushes by their commits. So a restart at any point continues.
 */

import { type ConversationId, DAY, type Millis } from "../../../machine/id.ts";
import type { Refusal } from "../../../machine/refusal.ts";
import { GITHUB } from "../../../ports/address.ts";
import type { ConversationChange, Detail } from "../../../ports/bot.ts";
import type { PullChange } from "../../../ports/forge.ts";
import type { Done } from "../../../ports/host.ts";
import { createRepeatingTask } from "../../../runtime/bot/repeating-task.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { type TendedPull, tendStep, type TendEnd } from "./bounds.ts";
import { cardIn, decideCard } from "./decide-push.ts";
import { createTendDues, TEND_LOOK } from "./due.ts";
import { hasTendEdits } from "./edits.ts";
import { type ForgeFacts, readForgeFacts, tendProject, type TendProject } from "./forge-facts.ts";
import type { TurnChange } from "./rows.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { isSteeredTurn } from "./steered.ts";
import { tendMessage, tendSpeaker } from "./turn-text.ts";
import { brokenLine, endLine, pushedLine, turnLine } from "./words.ts";

/** How often a turn for the same cause begins, if it is interrupted or fails. */
const MAX_TRIES = 2;

export const createTendRunner = (deps: RunnerDeps) => {
  const { rows, bot, clock, log } = deps;
  const dues = createTendDues(clock);
  const conversations = new Set<ConversationId>();
  /** Cards that people decide. A restart looks at them once more. */
  const left = new Set<string>();

  const rounds = createRepeatingTask(clock, async () => {
    const active = rows.active();
    conversations.clear();
    for (const { conversation } of active) conversations.add(conversation);
    let first = Number.POSITIVE_INFINITY;
    for (const { id } of active) {
      const next = await round(id);
      if (next !== null && next < first) first = next;
    }
    if (first < Number.POSITIVE_INFINITY) rounds.wakeAfter(Math.max(0, first - clock.now()));
  });

  /** Continues until nothing changes without the forge or the conversation. Returns when the next round is due; null if over. */
  const round = async (id: string): Promise<Millis | null> => {
    let next: Next = "on";
    for (let steps = 0; next === "on" && steps < MOST_STEPS; steps += 1) {
      const pull = rows.find(id);
      if (pull === null || pull.told || rounds.ending.aborted) return null;
      next = await advance(pull);
    }
    const pull = rows.find(id);
    return pull === null || pull.told ? null : nextRound(pull, next, clock.now(), dues.at(id));
  };

  const advance = async (pull: TendedPull): Promise<Next> => {
    if (!(await tellPushes(pull))) return "again";
    if (pull.ended !== null) return close(pull, pull.ended);
    const detail = await bot.read(pull.conversation);
    const place = detail === null ? null : tendProject(deps.forges, detail.conversation.repo);
    if (detail === null || place === null || detail.state.phase.kind === "exhausted")
      return end(pull, "thread");
    if (pull.phase === "running") return follow(pull, detail, place);
    // The process ended after the bot had accepted the message, and before the row was stored.
    if (isOwnTurn(pull, detail) && isBusy(detail))
      return change(pull, { phase: "running", tries: pull.tries + 1 });
    if (clock.now() >= pull.ends) return end(pull, "time");
    if (isBusy(detail) || !dues.isDue(pull.id)) return "rest";
    return pull.phase === "due" ? begin(pull, detail, place) : look(pull, place);
  };

  const end = async ({ id }: TendedPull, why: TendEnd): Promise<Next> => after(await rows.end(id, why));

  const close = async (pull: TendedPull, why: TendEnd): Promise<Next> => {
    const detail = await bot.read(pull.conversation);
    if (detail !== null && isOwnTurn(pull, detail) && WORKING.has(detail.state.phase.kind))
      await bot.act(pull.conversation, { kind: "stop", by: tendSpeaker(pull).id });
    if (detail !== null && !(await deps.tell(pull, "end", endLine(pull, why, deps.sayIn(pull)))))
      return "again";
    dues.drop(pull.id);
    return after(await rows.toldEnd(pull.id));
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
  const follow = async (pull: TendedPull, detail: Detail, place: TendProject): Promise<Next> => {
    if (clock.now() >= pull.ends) return end(pull, "time");
    const card = cardIn(pull, rows.pushes(pull.id), detail);
    if (card !== null) {
      // People decide about a card that is left over.
      if (left.has(card.wire) || !dues.isDue(pull.id)) return "rest";
      const result = await decideCard(deps, pull, card, place, rounds.ending);
      if (result.kind === "again") return "again";
      if (result.kind === "ended") return "on";
      if (result.kind === "decided") left.add(card.wire);
      else dues.failed(pull.id, result.wait);
      return "rest";
    }
    if (isOwnTurn(pull, detail) && isBusy(detail)) return "rest";
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
    if (isBroken && pull.tries >= MAX_TRIES) {
      const line = brokenLine(pull, deps.sayIn(pull));
      if (!(await deps.tell(pull, `broken ${pull.turn}`, line))) return "again";
    }
    dues.soon(pull.id);
    return isBroken && pull.tries < MAX_TRIES
      ? change(pull, { phase: "due", turn: pull.turn + 1 })
      : change(pull, { phase: "watching", tries: 0 });
  };

  const change = async (pull: TendedPull, to: Partial<TurnChange>): Promise<Next> => {
    const { phase, turn, tries, cause, seen } = { ...pull, ...to };
    return after(await rows.turn(pull.id, { phase, turn, tries, cause, seen }));
  };

  /** Edits of turns of this click are its own if nobody has added words since. Null if the result cannot be stored. */
  const withEdits = async (pull: TendedPull, detail: Detail): Promise<TendedPull | null> => {
    const { hadEdits: before = false } = pull.cause;
    if (!before && isOwnTurn(pull, detail) && !isSteeredTurn(detail, rows.pushes(pull.id))) return pull;
    const hadEdits = await hasTendEdits(deps, detail, rounds.ending);
    if (hadEdits === before) return pull;
    const cause = { ...pull.cause, hadEdits };
    return (await change(pull, { cause })) === "on" ? { ...pull, cause } : null;
  };

  /** Begins the stored turn. The model's input is read again from the forge. */
  const begin = async (stored: TendedPull, detail: Detail, place: TendProject): Promise<Next> => {
    const pull = await withEdits(stored, detail);
    if (pull === null) return "again";
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
    if (!(await deps.tell(pull, `turn ${pull.turn}`, turnLine(pull, facts, deps.sayIn(pull)))))
      return "again";
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
        return "again";
    }
  };

  const look = async (pull: TendedPull, place: TendProject): Promise<Next> => {
    dues.begin(pull.id);
    const read = await readForgeFacts(place, pull, rounds.ending, "states");
    if (rounds.ending.aborted) return "rest";
    if (read.kind === "trouble") return troubled(pull, read.wait);
    if (pull.trouble !== null) await rows.trouble(pull.id, null);
    dues.read(pull.id, stateOf(read.value));
    const facts = { ...read.value, now: clock.now(), spent: deps.spent(pull), made: rows.pushes(pull.id) };
    const step = tendStep(pull, facts);
    switch (step.kind) {
      case "end":
        return end(pull, step.why);
      case "arrived":
        dues.soon(pull.id);
        return after(await rows.landed(pull.id, step.head));
      case "turn": {
        const { seen } = step;
        const cause = { ...step.cause, ...omitUndefined({ hadEdits: pull.cause.hadEdits }) };
        dues.soon(pull.id);
        return change(pull, {
          phase: "due",
          turn: pull.turn + 1,
          tries: 0,
          cause,
          seen: [...pull.seen, ...seen],
        });
      }
      case "wait":
        if (step.ignored.length > 0) await change(pull, { seen: [...pull.seen, ...step.ignored] });
        return "rest";
    }
  };

  const troubled = async (pull: TendedPull, demanded: Millis | undefined): Promise<Next> => {
    if (rounds.ending.aborted) return "rest";
    const now = clock.now();
    if (now - (pull.trouble ?? now) >= DAY) return end(pull, "forge");
    if (pull.trouble === null) await rows.trouble(pull.id, now);
    log.warn("forge: pull request not read, retry scheduled", { conversation: pull.conversation });
    dues.failed(pull.id, demanded);
    return "rest";
  };

  return {
    wake: rounds.wake,
    settled: rounds.settled,
    heard: (id: ConversationId, { kind }: ConversationChange): void => {
      if ((kind === "state" || kind === "gone") && conversations.has(id)) rounds.wake();
    },
    /** A forge has reported a change at a pull request. */
    reported: async ({ repo, numbers, branches }: PullChange): Promise<null> => {
      const meant = rows
        .active()
        .filter(
          ({ name, number, branch }) =>
            branches.includes(branch) || (numbers.includes(number) && isIn(name, repo)),
        );
      for (const { id } of meant) dues.reported(id);
      if (meant.length > 0) rounds.wake();
      return null;
    },
    close: rounds.close,
  };
};

/** `name`: as in `acme/shop#12`, with the host unless it is github.com. */
const isIn = (name: string, repo: string): boolean => {
  const project = name.replace(/[#!]\d+$/, "").toLowerCase();
  return repo === project || repo === `${GITHUB}/${project}`;
};

/** `on`: something has changed. `again`: a post or a row has failed. `rest`: the next change comes from the forge or the conversation. */
type Next = "on" | "again" | "rest";

const after = ({ kind }: Done): Next => (kind === "done" ? "on" : "again");

/** Bound of one round, against steps that undo each other. */
const MOST_STEPS = 8;

/** A due time that has passed waits for the conversation, whose changes wake the runner. The agreed end is told in time. */
const nextRound = ({ ended, ends }: TendedPull, next: Next, now: Millis, due: Millis): Millis => {
  const at = next === "rest" && due > now ? due : now + TEND_LOOK;
  return ended === null && ends > now ? Math.min(at, ends) : at;
};

const stateOf = ({ state, head, checks, failed, remarks, ignored }: ForgeFacts): string =>
  JSON.stringify([state, head, checks, failed.map(({ id }) => id), remarks, ignored]);

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
