/** Only decisions here raise the permission (L3), grant a category in a call, allow a write or confirm a mode change. */

import type { Event } from "../event.ts";
import { begin } from "./message-received.ts";
import { answerPersonQuestion } from "../person-question.ts";
import { applyReview } from "../review.ts";
import { validGrants, mayReachNetwork, shownContentOf, withShownContent } from "../provenance.ts";
import {
  APPROVED,
  CHANGES_ASKED,
  closeRound,
  denialText,
  FROZEN,
  heldRoundOf,
  hostError,
  namesOf,
  runNextCall,
  resumeHeldCall,
  result,
  keepModeOutcome,
} from "../round.ts";
import {
  askOf,
  type AwaitingApproval,
  DENIALS_A_DAY,
  isFrozen,
  isWithoutCall,
  isRefused,
  mayBegin,
  type State,
} from "../state.ts";
import { endTurn, entryAt, noteEntry, noticeEntry, refusedStep, step } from "../step.ts";
import type { Step, Transition } from "../step.ts";
import type { Decision, Entry, HostOutcome, Note } from "../transcript.ts";
import {
  type WriteApproval,
  type QuestionSpec,
  offeredBy,
  type ReviewChoice,
  type Speaker,
  type Write,
} from "../vocabulary.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

type Decided = Event & { readonly kind: "decided" };
type Pending<K extends QuestionSpec["kind"]> = AwaitingApproval & { readonly question: { readonly kind: K } };

export const onDecision = (state: State, event: Decided): Transition => {
  const { phase } = state;
  if (phase.kind !== "awaitingApproval" || phase.question.id !== event.question) {
    return refusedStep("already_decided");
  }
  const { question } = phase;
  if (!mayDecide(state, question.kind, event)) return refusedStep("not_allowed");
  if (!offeredBy(question).includes(event.choice)) return refusedStep("wrong_choice");
  switch (question.kind) {
    case "upgrade":
      return upgrade(state, { ...phase, question }, event);
    case "danger":
      return danger(state, { ...phase, question }, event);
    case "mode":
      return mode(state, { ...phase, question }, event);
    case "write":
      return write(state, { ...phase, question }, event);
    case "answer":
      return applyReview(state, phase, event);
    case "result":
      return outcome(state, { ...phase, question }, event);
    case "person":
      return answerPersonQuestion(state, { ...phase, question }, event);
  }
};

/** The question of the model has its own rule. */
const mayDecide = (state: State, kind: QuestionSpec["kind"], { by, choice }: Decided): boolean =>
  kind === "person" ||
  (kind === "mode" || (kind === "result" && choice === "changes" && !by.mayApprove)
    ? maySwitch(state, by)
    : by.mayApprove);

/** A mode is no permission, so the turn's speaker may choose it too. */
const maySwitch = (state: State, by: Speaker): boolean => by.mayDrive || by.id === state.turn.speaker?.id;

const upgrade = (state: State, phase: Pending<"upgrade">, event: Decided): Transition => {
  if (event.choice === "deny")
    return isWithoutCall(askOf(phase.question))
      ? settled(counted(state, event), phase, event, [], [])
      : deny(state, phase, event);
  if (isRefused(state)) return refusedStep("no_unrestricted");
  const taken = phase.question.from?.how === "request" ? { ...state.turn, speaker: event.by } : state.turn;
  const { on } = phase.question;
  // Background commands would continue to write to the repository that was writable until now.
  const isOther = state.permission === "unrestricted" && state.writes !== on && state.background;
  // With safe mode on, network access is a separate question.
  const seen = state.safeMode ? state : withShownContent(state);
  const upgraded: State = {
    ...seen,
    permission: "unrestricted",
    ...omitUndefined({ writes: on }),
    ...(isOther ? { background: false } : {}),
    denials: [],
    turn: taken,
  };
  const told = { kind: "permission", to: "unrestricted", by: event.by.id, ...omitUndefined({ on }) } as const;
  const notice = noticeEntry(state, event.at, told);
  if (isWithoutCall(askOf(phase.question))) return settled(upgraded, phase, event, [notice], ["upgraded"]);
  const text = on === undefined ? APPROVED : `${APPROVED} Only ${on}/ can be written.`;
  const append = [notice, result(state, event.at, phase.call, outcomeOf(text, phase, event))];
  const next = goOn(upgraded, { ...phase, notes: [...phase.notes, "upgraded"] }, event, append);
  return isOther && next.kind === "step"
    ? { ...next, effects: [{ kind: "killBackground" }, ...next.effects] }
    : next;
};

const settled = (
  state: State,
  phase: AwaitingApproval,
  event: Decided,
  append: readonly Entry[],
  notes: readonly Note[],
): Step =>
  step({ ...state, phase: { kind: "idle" } }, [
    ...append,
    grantedEntry(state, phase, event),
    ...[...phase.notes, ...notes].map((note) => noteEntry(state, event.at, note)),
  ]);

const danger = (state: State, phase: Pending<"danger">, event: Decided): Transition => {
  if (event.choice === "deny") return deny(state, phase, event);
  const { categories, fingerprint } = phase.question;
  const lasts = event.choice === "session";
  const grants = [...new Set([...validGrants(state), ...categories])];
  const seen =
    lasts && mayReachNetwork({ ...state, safeMode: true, grants }) ? withShownContent(state) : state;
  const allowed: State = { ...seen, denials: [], grants: lasts ? grants : state.grants };
  return resumeHeldCall(allowed, heldRoundOf(phase), event.at, [grantedEntry(state, phase, event)], {
    grants,
    fingerprint,
  });
};

const write = (state: State, phase: Pending<"write">, event: Decided): Transition => {
  if (event.choice === "deny") return deny(state, phase, event);
  if (event.choice === "leave_out") return leaveOut(state, phase, event);
  const { write: what, scope } = phase.question;
  const allowed: State = { ...state, denials: [] };
  if (event.choice !== "session" || scope === undefined) return carriedOut(allowed, phase, event, what);
  const others = (state.standing ?? []).filter((one) => one.scope !== scope);
  const lasts = { scope, by: personOf(event.by), ...shownContentOf(state) };
  return carriedOut({ ...allowed, standing: [...others, lasts] }, phase, event, what);
};

/** The question stays open. A left out comment never returns, so each later decision posts at most what its person saw. */
const leaveOut = (state: State, phase: Pending<"write">, { option = 0 }: Decided): Transition => {
  const { question } = phase;
  const { review } = question;
  if (review === undefined || !Number.isInteger(option) || option < 1 || option > review.comments)
    return refusedStep("wrong_choice");
  if (review.leftOut.includes(option)) return refusedStep("already_decided");
  const leftOut = [...review.leftOut, option].toSorted((a, b) => a - b);
  return step(
    { ...state, phase: { ...phase, question: { ...question, review: { ...review, leftOut } } } },
    [],
  );
};

/** No permission changes: the host does exactly the work that the card showed (D42). */
const outcome = (state: State, phase: Pending<"result">, event: Decided): Transition => {
  const { commits } = event;
  const most = event.choice === "apply" ? (phase.question.commits ?? 0) : 0;
  if (commits !== undefined && !(Number.isInteger(commits) && commits >= 1 && commits <= most))
    return refusedStep("wrong_choice");
  if (event.choice === "changes") return changes(state, phase, event);
  if (event.choice === "discard") {
    const denied = [...new Set([...state.turn.denied, "apply_draft" as const])];
    const without = counted({ ...state, turn: { ...state.turn, denied } }, event);
    return carriedOut(without, phase, event, "discard_draft");
  }
  const isPull = event.choice === "pull_request";
  if (isPull && !phase.question.pull) return refusedStep("wrong_choice");
  const what = isPull ? "open_pull_request" : "apply_draft";
  return carriedOut({ ...state, denials: [] }, phase, event, what);
};

/** The draft stays open for the turn that starts with the comment. */
const changes = (state: State, phase: Pending<"result">, event: Decided): Transition => {
  const { by: speaker, comment, at } = event;
  if (comment === null) return refusedStep("no_words");
  if (!mayBegin(state, speaker)) return refusedStep("not_confined");
  const append = closeRound(state, at, phase, outcomeOf(CHANGES_ASKED, phase, event));
  const { reviewed } = state.turn;
  const said = { message: comment, speaker, images: 0, ...omitUndefined({ reviewed }) };
  return begin(endTurn(state, "answered", at), said, at, append);
};

/** The host performs the write once despite crashes, on behalf of the approver (D6). */
const carriedOut = (
  state: State,
  phase: Pending<"write" | "result">,
  event: Decided,
  what: Write,
): Transition => {
  if (isFrozen(state))
    return goOn(state, phase, event, [result(state, event.at, phase.call, hostError(FROZEN))]);
  const { fingerprint } = phase.question;
  return resumeHeldCall(state, heldRoundOf(phase), event.at, [grantedEntry(state, phase, event)], {
    grants: validGrants(state),
    approved: {
      write: what,
      by: personOf(event.by),
      at: event.at,
      fingerprint,
      ...batchOf(event),
      ...omitUndefined({ review: reviewChoice(phase.question, event) }),
    },
  });
};

const reviewChoice = (
  question: Pending<"write" | "result">["question"],
  { choice }: Decided,
): ReviewChoice | undefined => {
  if (question.kind !== "write" || question.review === undefined) return undefined;
  return { leftOut: question.review.leftOut, requestsChanges: choice === "request_changes" };
};

const personOf = ({ id, name }: Decided["by"]): WriteApproval["by"] => ({ id, ...omitUndefined({ name }) });

const mode = (state: State, phase: Pending<"mode">, event: Decided): Transition => {
  if (event.choice !== "stay")
    return resumeHeldCall(state, heldRoundOf(phase), event.at, [grantedEntry(state, phase, event)], {
      grants: validGrants(state),
      confirmed: { by: event.by.id, branch: event.choice === "branch" },
    });
  const { denied } = state.turn;
  const told: State = { ...state, turn: { ...state.turn, denied: [...denied, "mode"] } };
  const outcome = keepModeOutcome(state, decisionOf(event), askOf(phase.question));
  return goOn(counted(told, event), phase, event, [result(state, event.at, phase.call, outcome)]);
};

const deny = (state: State, phase: AwaitingApproval, event: Decided): Transition => {
  const denied = [...new Set([...state.turn.denied, ...namesOf(phase.question)])];
  const told = result(state, event.at, phase.call, outcomeOf(denialText(phase.question), phase, event));
  return goOn(counted({ ...state, turn: { ...state.turn, denied } }, event), phase, event, [told]);
};

const counted = (state: State, event: Decided): State => ({
  ...state,
  denials: [...state.denials, event.at].slice(-DENIALS_A_DAY),
});

const goOn = (state: State, phase: AwaitingApproval, event: Decided, append: readonly Entry[]): Transition =>
  runNextCall(state, heldRoundOf(phase), event.at, append);

const outcomeOf = (text: string, phase: AwaitingApproval, event: Decided): HostOutcome => {
  const isError = event.choice === "deny";
  const decision = decisionOf(event);
  const ask = askOf(phase.question);
  return ask.kind === "upgrade" && ask.from === undefined && ask.on === undefined
    ? { kind: "host", text, isError, decision }
    : { kind: "host", text, isError, decision, ask };
};

const grantedEntry = (state: State, phase: AwaitingApproval, event: Decided): Entry =>
  entryAt(state, event.at, {
    kind: "granted",
    call: phase.call,
    ask: askOf(phase.question),
    decision: decisionOf(event),
  });

const decisionOf = (event: Decided): Decision => {
  const { choice, by, at, comment } = event;
  return { choice, by: by.id, at, comment, ...batchOf(event) };
};

const batchOf = ({ commits }: Decided): Pick<Decision, "commits"> => omitUndefined({ commits });
