/**
 * turnPost(before, after, entries, append): the one message that a turn leaves where people chat (TH1), made in the step that ends
 * the turn, from all of its entries, and made anew where that step takes its button away. A turn whose end stands in a
 * question, or that left nothing to read, has none. Pure.
 */

import type { EarlierAnswer } from "../machine/words.ts";
import { percentUsed } from "../machine/context.ts";
import { mayContinue } from "../machine/continuation.ts";
import type { MessageId, Millis } from "../machine/id.ts";
import { mayRetry } from "../machine/transition/said.ts";
import { effectivePermission, isCostly, type State, type TurnEnd } from "../machine/state.ts";
import { offeredModel } from "../machine/stand-in.ts";
import type { Decision, Entry, Notice } from "../machine/transcript.ts";
import { omitUndefined } from "../text/given.ts";
import type { FindCallWording } from "./call-text.ts";
import type { Action, OpenTurn, Post, TurnBody, TurnStep } from "./post.ts";

/** Bytes of a text before tools that is told as their status; a longer one is read as part of the answer. */
export const NARRATION = 300;

/** Calls that the message names; Steps has them all. */
const ROWS = 10;

/** `entries`: those of the turn, `append`: what the step adds to them. */
export const turnPost = (
  before: State,
  after: State,
  entries: readonly Entry[],
  append: readonly Entry[],
  looks: FindCallWording,
): Post | null => {
  const ended = endOf(before, after, entries, append);
  if (ended === null) return null;
  const { no, end } = ended;
  const own = [...entries, ...append].filter(({ turn, seq }) => turn === no && seq <= ended.seq);
  if (endsInQuestion(own) || end.why === "discarded") return null;
  const body = bodyOf(before, after, own, ended, isShown(after.turn.no === no ? after : before, own), looks);
  if (body.said.length + body.changes.length + body.files.length + body.notices.length === 0) return null;
  const tries = body.notices.flatMap((notice) => triesOf(after, notice));
  const continues = after.context.warning !== undefined && mayContinue(after) ? (["continue"] as const) : [];
  const actions = [...tries, ...continues];
  return { key: keyOf(no), at: end.at, final: tries.length === 0, actions, body };
};

/** The message of a turn whose answer is held, as it would be posted. */
export const pendingReviewPost = (
  state: State,
  entries: readonly Entry[],
  looks: FindCallWording,
): Post & { readonly body: TurnBody } => {
  const { no, begun } = state.turn;
  const own = entries.filter(({ turn }) => turn === no);
  const at = askedAt(own) ?? begun;
  const ended = { no, end: { at, why: "answered" }, seq: state.seq } as const;
  return {
    key: keyOf(no),
    at,
    final: true,
    actions: [],
    body: bodyOf(state, state, own, ended, true, looks),
  };
};

/** What its message tells already while it goes on; null where none does, or it will be an upload. */
export const openTurn = ({ turn, phase }: State, entries: readonly Entry[]): OpenTurn | null => {
  const own = entries.filter((entry) => entry.turn === turn.no);
  const steps = stepsIn(own);
  const shares = steps.some(({ outcome }) => outcome.kind === "ran" && (outcome.files ?? 0) > 0);
  if (turn.end !== null || turn.reviewed !== undefined || shares) return null;
  // What asks a person stands in the question.
  const asks = phase.kind === "awaitingApproval" ? phase.question.message : null;
  const said = saidIn(own).filter((id) => id !== asks);
  const { no, begun } = turn;
  return { key: keyOf(no), begun, ...askedIn(own), said, changes: steps.filter(isChange) };
};

/** The response that people judge: the one that the turn ended with, where it said something. */
export const finalAnswer = ({ end, said, notices }: TurnBody): MessageId | null =>
  end === "answered" && !notices.some(({ kind }) => kind === "empty") ? (said.at(-1) ?? null) : null;

const askedIn = (own: readonly Entry[]): Pick<TurnBody, "asked"> => {
  const said = own.find((one) => one.kind === "said");
  return said?.kind === "said" ? { asked: { message: said.message, by: said.speaker.id } } : {};
};

const keyOf = (no: number): string => `turn/${no}/1`;

/** Whether the post is the message of a turn. */
export const isTurnKey = (key: string): boolean => key.startsWith("turn/");

/** Messages of the turn that goes on and of the one before it: one may have been begun whose turn leaves none. */
export const latestTurnKeys = ({ turn: { no } }: State): readonly string[] => [keyOf(no - 1), keyOf(no)];

/** L11: another try is offered only while the state would take it. */
export const triesOf = (state: State, notice: Notice): readonly Action[] => {
  if (!TRIED.has(notice.kind) || !mayRetry(state)) return [];
  if (isCostly(state.phase)) return ["retry", "stop"];
  return notice.kind === "reused" || offeredModel(state) === null ? ["retry"] : ["retry", "retry_other"];
};

const TRIED: ReadonlySet<Notice["kind"]> = new Set(["interrupted", "failed", "reused"]);

const isStop = (entry: Entry): boolean => entry.kind === "notice" && entry.notice.kind === "stopped";

/** Whether the message of the turn, or a question that was decided in it, says what a notice says. */
export const isFolded = (notice: Notice, { turn, seq }: Entry, entries: readonly Entry[]): boolean => {
  if (notice.kind === "wrote" || OF_TURN.has(notice.kind)) return true;
  if (notice.kind === "permission") return notice.to === "unrestricted";
  if (notice.kind === "mode" || notice.kind === "branched")
    return entries.some((one) => one.kind === "granted" && one.ask.kind === "mode" && one.seq < seq);
  const isOfCheckout = notice.kind === "setUp" || notice.kind === "putBack";
  return isOfCheckout && !entries.some((one) => one.turn === turn && one.seq < seq && isEnd(one));
};

/** How a turn went, which its message says. */
const OF_TURN: ReadonlySet<Notice["kind"]> = new Set([
  "stopped",
  "interrupted",
  "failed",
  "fellBack",
  "notAsked",
  "reused",
  "empty",
  "refused",
  "noCall",
  "cut",
]);

const isEnd = (entry: Entry): boolean =>
  entry.kind === "answer" ? entry.calls.length === 0 : entry.kind === "notice" && ENDS.has(entry.notice.kind);

interface Ended {
  readonly no: number;
  readonly end: TurnEnd;
  /** The step that ended it. */
  readonly seq: number;
}

/** The turn that this step ends, or that it takes another try from. */
const endOf = (
  before: State,
  after: State,
  entries: readonly Entry[],
  append: readonly Entry[],
): Ended | null => {
  const { no, end } = after.turn;
  if (end !== null && (before.turn.end === null || before.turn.no !== no)) return { no, end, seq: after.seq };
  // While a turn goes on, nothing before this step has ended it: however long it is, it is not looked through.
  const all = before.turn.end === null ? append : [...entries, ...append];
  const last = all.findLast(
    (entry) => entry.kind === "notice" && entry.turn === before.turn.no && ENDS.has(entry.notice.kind),
  );
  if (last?.kind !== "notice") return null;
  const was = { no: last.turn, seq: decidedOn(last, all) };
  // Stop and send: the next turn has begun in the same step.
  if (last.notice.kind === "stopped" && last.seq === after.seq && before.turn.end === null)
    return { ...was, end: { at: last.at, why: "stopped" } };
  const wasOffered = triesOf(before, last.notice).join(" ");
  return before.turn.end !== null && wasOffered !== triesOf(after, last.notice).join(" ")
    ? { ...was, end: before.turn.end }
    : null;
};

const ENDS: ReadonlySet<Notice["kind"]> = new Set(["stopped", "interrupted", "failed", "reused"]);

/** An answer that is given again may have been held until somebody looked at it. */
const decidedOn = ({ turn, seq, notice }: Entry & { kind: "notice" }, entries: readonly Entry[]): number =>
  (notice.kind === "reused"
    ? entries.find((one) => one.turn === turn && one.seq > seq && isLookedAt(one))?.seq
    : null) ?? seq;

/** It was stopped while its question waited: the question says so. */
const endsInQuestion = (own: readonly Entry[]): boolean => {
  const stop = own.findLast(isStop);
  return (
    stop !== undefined &&
    own.some(
      (one) =>
        one.seq === stop.seq &&
        (one.kind === "granted" ||
          (one.kind === "result" && one.outcome.kind !== "ran" && one.outcome.decision !== null)),
    )
  );
};

/** Of what somebody has to look at first, and has not, people are told how it ended and nothing else. */
const isShown = ({ turn }: State, own: readonly Entry[]): boolean =>
  turn.reviewed === undefined || reviewOf(own) !== null;

const bodyOf = (
  before: State,
  after: State,
  own: readonly Entry[],
  { no, end }: Ended,
  shown: boolean,
  looks: FindCallWording,
): TurnBody => {
  const state = after.turn.no === no ? after : before;
  const looked = reviewOf(own);
  const edited = looked?.choice === "edit" ? looked.comment : null;
  const all = stepsIn(own);
  const steps = shown ? all : [];
  const permission = effectivePermission(state);
  const { speaker, begun } = state.turn;
  return {
    kind: "turn",
    end: end.why,
    ...askedIn(own),
    said: shown ? (edited === null ? saidIn(own) : [edited]) : [],
    changes: steps.filter(isChange),
    files: steps.flatMap(({ outcome }) =>
      outcome.kind === "ran"
        ? Array.from({ length: outcome.files ?? 0 }, (_, index) => ({ message: outcome.message, index }))
        : [],
    ),
    steps: { count: all.length, rows: steps.slice(0, ROWS) },
    notices: own.flatMap((one) => (one.kind === "notice" && isTold(one.notice) ? [one.notice] : [])),
    permission,
    ...(permission === state.permission || speaker === null ? {} : { held: speaker.id }),
    ...omitUndefined({
      unconfined: state.confinement !== "enforced" || undefined,
      readOnly: (permission === "restricted" && !own.some(isChangeOfPermission)) || undefined,
      uncommitted: isUncommitted(steps, looks) || undefined,
      pictures: picturesIn(own) || undefined,
      tried: triedIn(own),
      context: percentUsed(state.context) || undefined,
      earlier: shown ? earlierIn(own) : undefined,
    }),
    // How long somebody took to look at it is not how long it took.
    duration: Math.max(0, (askedAt(own) ?? end.at) - begun),
    ...modelIn(own),
    ...(looked === null ? {} : { looked: { by: looked.by, edited: edited !== null } }),
  };
};

/** What let the answer be posted; null where nothing has. */
export const reviewOf = (own: readonly Entry[]): Decision | null => {
  const last = own.findLast(isLookedAt);
  return last !== undefined && last.decision.choice !== "discard" ? last.decision : null;
};

const isLookedAt = (one: Entry): one is Entry & { readonly kind: "granted" } =>
  one.kind === "granted" && one.ask.kind === "answer";

/** When the answer was there; null where nobody looks at it. */
const askedAt = (own: readonly Entry[]): Millis | null =>
  own.findLast((one) => one.kind === "asked" && one.ask.kind === "answer")?.at ?? null;

const isChangeOfPermission = (one: Entry): boolean =>
  one.kind === "notice" && one.notice.kind === "permission";

/** Commands may commit; tools that change files do not. */
const isUncommitted = (steps: readonly TurnStep[], looks: FindCallWording): boolean => {
  const last = steps.findLastIndex(isChange);
  return (
    last !== -1 &&
    steps
      .slice(last)
      .every((one) => isChange(one) || one.outcome.kind !== "ran" || looks(one.call.name).commits !== true)
  );
};

const isChange = ({ outcome }: TurnStep): boolean => outcome.kind === "ran" && outcome.changed === true;

const picturesIn = (own: readonly Entry[]): number =>
  own.reduce((sum, one) => sum + (one.kind === "said" ? one.images : 0), 0);

/** Earlier answers to similar questions, which the turn offers. */
export const earlierIn = (own: readonly Entry[]): readonly EarlierAnswer[] | undefined => {
  const found = own.flatMap((one) => (one.kind === "answer" ? (one.earlier ?? []) : []));
  return found.length === 0 ? undefined : found;
};

/** The one that answered last. */
export const modelIn = (own: readonly Entry[]): { readonly model?: string } => {
  const last = own.findLast((one) => one.kind === "answer");
  return omitUndefined({ model: last?.kind === "answer" ? last.model : undefined });
};

/** Since the last that the turn brought. */
const triedIn = (own: readonly Entry[]): Millis | undefined => {
  const index = own.findLastIndex((one) => one.kind === "notice" && one.notice.kind === "failed");
  const [before, failed] = [own[index - 1], own[index]];
  return before === undefined || failed === undefined ? undefined : Math.max(0, failed.at - before.at);
};

/** What a write came to stands in its question, and here as well where a person has to look after it. */
const isTold = (notice: Notice): boolean =>
  notice.kind === "wrote"
    ? notice.wrote.kind !== "done"
    : notice.kind === "setUp" || notice.kind === "putBack" || OF_TURN.has(notice.kind);

/** Short texts before tools are their status, and those that ask a person stand in the question. */
const saidIn = (own: readonly Entry[]): TurnBody["said"] => {
  const asked = new Set(own.flatMap((one) => (isAsked(one) ? [one.call.id] : [])));
  return own.flatMap((one) => {
    if (one.kind !== "answer" || one.text === 0) return [];
    if (one.calls.length === 0) return [one.message];
    return one.text > NARRATION && !one.calls.some(({ id }) => asked.has(id)) ? [one.message] : [];
  });
};

const isAsked = (one: Entry): one is Entry & { readonly kind: "granted" | "result" } =>
  one.kind === "granted" ||
  (one.kind === "result" && one.outcome.kind !== "ran" && one.outcome.decision !== null);

/** Tools run one at a time: each began when its response came, or when the one before it ended (L5). */
export const stepsIn = (own: readonly Entry[]): readonly TurnStep[] => {
  const steps: TurnStep[] = [];
  let response: (Entry & { readonly kind: "answer" }) | null = null;
  let since: Millis = 0;
  for (const one of own) {
    if (one.kind === "answer") response = one;
    if (one.kind === "result" && response !== null) {
      const { call, outcome } = one;
      steps.push({ message: response.message, call, outcome, took: Math.max(0, one.at - since) });
    }
    if (one.kind === "answer" || one.kind === "result" || one.kind === "granted") since = one.at;
  }
  return steps;
};
