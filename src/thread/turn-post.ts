/** The one message that a turn leaves in chat (TH1). A later step that removes its button makes the message again. */

import type { EarlierAnswer } from "../machine/vocabulary.ts";
import { percentUsed } from "../machine/context.ts";
import { mayContinue } from "../machine/continuation.ts";
import type { MessageId, Millis, PersonId } from "../machine/id.ts";
import { mayRetry } from "../machine/transition/message-received.ts";
import { effectivePermission, isCostly, type State, type TurnEnd } from "../machine/state.ts";
import { offeredModel } from "../machine/model-fallback.ts";
import type { Decision, Entry, Notice } from "../machine/transcript.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import type { FindCallWording } from "./call-text.ts";
import type { Action, OpenTurn, Post, TurnBody, TurnStep } from "./post.ts";

/** Bytes up to which a text before tools is shown as their status; a longer text is part of the answer. */
export const NARRATION = 300;

/** Calls that the message lists. *Steps* lists all of them. */
const ROWS = 10;

/** Null if a question shows the end of the turn, or if the turn left nothing to read. */
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

/** Null if the running turn shows no message yet, or if the message will be an upload. */
export const openTurn = ({ turn, phase }: State, entries: readonly Entry[]): OpenTurn | null => {
  const own = entries.filter((entry) => entry.turn === turn.no);
  const steps = stepsIn(own);
  const shares = steps.some(({ outcome }) => outcome.kind === "ran" && (outcome.files ?? 0) > 0);
  if (turn.end !== null || turn.reviewed !== undefined || shares) return null;
  // A text that asks a person is shown in the question.
  const asks = phase.kind === "awaitingApproval" ? phase.question.message : null;
  const said = saidIn(own).filter((id) => id !== asks);
  const { no, begun } = turn;
  return { key: keyOf(no), begun, ...askedIn(own), said, changes: steps.filter(isChange) };
};

/** The answer that people judge: the last text of a turn that ended with an answer. */
export const finalAnswer = ({ end, said, notices }: TurnBody): MessageId | null =>
  end === "answered" && !notices.some(({ kind }) => kind === "empty") ? (said.at(-1) ?? null) : null;

const askedIn = (own: readonly Entry[]): Pick<TurnBody, "asked"> => {
  const said = own.find((one) => one.kind === "said");
  return said?.kind === "said" ? { asked: { message: said.message, by: said.speaker.id } } : {};
};

const keyOf = (no: number): string => `turn/${no}/1`;

export const isTurnKey = (key: string): boolean => key.startsWith("turn/");

/** Current and previous turn, because a message may have been started for a turn that leaves none. */
export const latestTurnKeys = ({ turn: { no } }: State): readonly string[] => [keyOf(no - 1), keyOf(no)];

/** L11: another try is offered only if the state accepts it. */
export const triesOf = (state: State, notice: Notice): readonly Action[] => {
  if (!TRIED.has(notice.kind) || !mayRetry(state)) return [];
  if (isCostly(state.phase)) return ["retry", "stop"];
  return notice.kind === "reused" || offeredModel(state) === null ? ["retry"] : ["retry", "retry_other"];
};

const TRIED: ReadonlySet<Notice["kind"]> = new Set(["interrupted", "failed", "reused"]);

const isStop = (entry: Entry): boolean => entry.kind === "notice" && entry.notice.kind === "stopped";

/** Whether the message of the turn, or a question decided in it, contains the notice. */
export const isFolded = (notice: Notice, { turn, seq }: Entry, entries: readonly Entry[]): boolean => {
  if (notice.kind === "wrote" || OF_TURN.has(notice.kind)) return true;
  if (notice.kind === "permission") return notice.to === "unrestricted";
  if (notice.kind === "mode" || notice.kind === "branched")
    return entries.some((one) => one.kind === "granted" && one.ask.kind === "mode" && one.seq < seq);
  const isOfCheckout = notice.kind === "setUp" || notice.kind === "putBack";
  return isOfCheckout && !entries.some((one) => one.turn === turn && one.seq < seq && isEnd(one));
};

const OF_TURN: ReadonlySet<Notice["kind"]> = new Set([
  "stopped",
  "interrupted",
  "unread",
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
  readonly seq: number;
}

/** Returns the turn that this step ends, or whose retry button the step removes. */
const endOf = (
  before: State,
  after: State,
  entries: readonly Entry[],
  append: readonly Entry[],
): Ended | null => {
  const { no, end } = after.turn;
  if (end !== null && (before.turn.end === null || before.turn.no !== no)) return { no, end, seq: after.seq };
  // In a running turn only this step can have ended the turn, so a long turn is not searched.
  const all = before.turn.end === null ? append : [...entries, ...append];
  const last = all.findLast(
    (entry) => entry.kind === "notice" && entry.turn === before.turn.no && ENDS.has(entry.notice.kind),
  );
  if (last?.kind !== "notice") return null;
  const was = { no: last.turn, seq: decidedOn(last, all) };
  // Stop and send: the same step starts the next turn.
  if (last.notice.kind === "stopped" && last.seq === after.seq && before.turn.end === null)
    return { ...was, end: { at: last.at, why: "stopped" } };
  const wasOffered = triesOf(before, last.notice).join(" ");
  return before.turn.end !== null && wasOffered !== triesOf(after, last.notice).join(" ")
    ? { ...was, end: before.turn.end }
    : null;
};

const ENDS: ReadonlySet<Notice["kind"]> = new Set(["stopped", "interrupted", "failed", "reused"]);

/** After a reused answer, a review may hold it, or an addition may continue the turn. */
const decidedOn = ({ turn, seq, notice }: Entry & { kind: "notice" }, entries: readonly Entry[]): number =>
  (notice.kind === "reused"
    ? entries.findLast((one) => one.turn === turn && one.seq > seq && (isLookedAt(one) || isLast(one)))?.seq
    : null) ?? seq;

const isLast = (one: Entry): boolean => isEnd(one) || (one.kind === "notice" && OF_TURN.has(one.notice.kind));

/** If true, the question reports the stop, and the turn leaves no message. */
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

/** Before a required review, the message only says how the turn ended. */
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
    ...(permission === state.permission || speaker === null ? {} : { held: limiterOf(own) ?? speaker.id }),
    ...omitUndefined({
      unconfined: state.confinement !== "enforced" || undefined,
      readOnly: (permission === "restricted" && !own.some(isChangeOfPermission)) || undefined,
      uncommitted: isUncommitted(steps, looks) || undefined,
      pictures: picturesIn(own) || undefined,
      tried: triedIn(own),
      context: percentUsed(state.context) || undefined,
      earlier: shown ? earlierIn(own) : undefined,
      notes: notesIn(own),
      note: end.why === "answered" && shown ? noteIn(own) : undefined,
    }),
    // The duration excludes the time of the review.
    duration: Math.max(0, (askedAt(own) ?? end.at) - begun),
    ...modelIn(own),
    ...(looked === null ? {} : { looked: { by: looked.by, edited: edited !== null } }),
  };
};

/** The person whose message made the turn Restricted: the requester, or the author of an added message. */
const limiterOf = (own: readonly Entry[]): PersonId | undefined => {
  const limits = own.find((one) => one.kind === "said" && !one.speaker.mayDrive);
  return limits?.kind === "said" ? limits.speaker.id : undefined;
};

/** The decision that released the answer; null if there is none. */
export const reviewOf = (own: readonly Entry[]): Decision | null => {
  const last = own.findLast(isLookedAt);
  return last !== undefined && last.decision.choice !== "discard" ? last.decision : null;
};

const isLookedAt = (one: Entry): one is Entry & { readonly kind: "granted" } =>
  one.kind === "granted" && one.ask.kind === "answer";

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

export const earlierIn = (own: readonly Entry[]): readonly EarlierAnswer[] | undefined => {
  const found = own.flatMap((one) => (one.kind === "answer" ? (one.earlier ?? []) : []));
  return found.length === 0 ? undefined : found;
};

/** The notes of the last request, because a later request has the newer list. */
export const notesIn = (own: readonly Entry[]): number | undefined => {
  const last = own.findLast((one) => one.kind === "answer");
  return last?.kind === "answer" ? last.notes?.length : undefined;
};

const noteIn = (own: readonly Entry[]): MessageId | undefined =>
  own
    .flatMap((one) =>
      one.kind === "result" && one.outcome.kind === "ran" && one.outcome.note === true
        ? [one.outcome.message]
        : [],
    )
    .at(-1);

export const modelIn = (own: readonly Entry[]): { readonly model?: string } => {
  const last = own.findLast((one) => one.kind === "answer");
  return omitUndefined({ model: last?.kind === "answer" ? last.model : undefined });
};

/** Counted from the previous entry of the turn. */
const triedIn = (own: readonly Entry[]): Millis | undefined => {
  const index = own.findLastIndex((one) => one.kind === "notice" && one.notice.kind === "failed");
  const [before, failed] = [own[index - 1], own[index]];
  return before === undefined || failed === undefined ? undefined : Math.max(0, failed.at - before.at);
};

/** The outcome of a write is shown in the write's question, and here too if a person must act on the outcome. */
const isTold = (notice: Notice): boolean =>
  notice.kind === "wrote"
    ? notice.wrote.kind !== "done"
    : notice.kind === "setUp" || notice.kind === "putBack" || OF_TURN.has(notice.kind);

/** Leaves out short texts before tools, which are their status, and texts that ask a person, which the question shows. */
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

/** Tools run one at a time. A tool starts when the model's response arrives, or when the previous tool ends (L5). */
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
