/**
 * A person's answer to the question that holds a call: the only way in which the permission is raised (L3), a
 * category granted while a call waits, a write to the forge allowed, or the model's tool let change the work mode. A
 * question is answered once.
 */

import type { Event } from "./event.ts";
import {
  APPROVED,
  DENIED,
  FROZEN,
  hostError,
  NOT_ALLOWED_BY_USER,
  proceed,
  release,
  result,
} from "./round.ts";
import {
  askOf,
  type AwaitingApproval,
  DENIALS_A_DAY,
  frozen,
  isByCommand,
  isRefused,
  type State,
} from "./state.ts";
import { entry, noteEntry, noticeEntry, refused, step } from "./step.ts";
import type { Step, Transition } from "./step.ts";
import type { Decision, Entry, Note, Outcome } from "./transcript.ts";
import type { Ask, Denied, Speaker } from "./words.ts";

type Decided = Event & { readonly kind: "decided" };
type Pending<K extends Ask["kind"]> = AwaitingApproval & { readonly question: { readonly kind: K } };

export const decided = (state: State, event: Decided): Transition => {
  const { phase } = state;
  if (phase.kind !== "awaitingApproval" || phase.question.id !== event.question) {
    return refused("already_decided");
  }
  switch (phase.question.kind) {
    case "upgrade":
      return event.by.mayApprove
        ? upgrade(state, { ...phase, question: phase.question }, event)
        : refused("not_allowed");
    case "danger":
      return event.by.mayApprove
        ? danger(state, { ...phase, question: phase.question }, event)
        : refused("not_allowed");
    case "mode":
      return maySwitch(state, event.by)
        ? mode(state, { ...phase, question: phase.question }, event)
        : refused("not_allowed");
    case "write":
      return event.by.mayApprove
        ? write(state, { ...phase, question: phase.question }, event)
        : refused("not_allowed");
  }
};

/** The same question under a new name: no button posted before answers it. */
export const reasked = (state: State, event: Event & { readonly kind: "reasked" }): Transition => {
  const { phase } = state;
  if (phase.kind !== "awaitingApproval" || phase.question.id !== event.question) {
    return refused("already_decided");
  }
  const { question } = phase;
  const first = question.first ?? question.askedAt;
  return step({
    ...state,
    phase: { ...phase, question: { ...question, id: `q${state.seq}`, askedAt: event.at, first } },
  });
};

/** A mode is no permission: whoever the turn belongs to may choose it too. */
const maySwitch = (state: State, by: Speaker): boolean => by.mayDrive || by.id === state.turn.speaker?.id;

const upgrade = (state: State, phase: Pending<"upgrade">, event: Decided): Transition => {
  switch (event.choice) {
    case "approve": {
      if (isRefused(state)) return refused("no_unrestricted");
      const taken =
        phase.question.from?.how === "request" ? { ...state.turn, speaker: event.by } : state.turn;
      const upgraded: State = { ...state, permission: "unrestricted", denials: [], turn: taken };
      const notice = noticeEntry(state, event.at, {
        kind: "permission",
        to: "unrestricted",
        by: event.by.id,
      });
      if (isByCommand(askOf(phase.question))) return settled(upgraded, phase, event, [notice], ["upgraded"]);
      const append = [notice, result(state, event.at, phase.call, outcomeOf(APPROVED, phase, event))];
      return goOn(upgraded, { ...phase, notes: [...phase.notes, "upgraded"] }, event, append);
    }
    case "deny":
      return isByCommand(askOf(phase.question))
        ? settled(counted(state, event), phase, event, [], [])
        : deny(state, phase, event, ["upgrade"], DENIED);
    case "once":
    case "session":
    case "stay":
    case "switch":
    case "branch":
      return refused("wrong_choice");
  }
};

/** What a person had asked for by command is decided, and nothing goes on with it. */
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
  const { categories, fingerprint } = phase.question;
  switch (event.choice) {
    case "once":
    case "session": {
      const grants = [...new Set([...state.grants, ...categories])];
      const allowed: State = {
        ...state,
        denials: [],
        grants: event.choice === "session" ? grants : state.grants,
      };
      return release(allowed, phase, event.at, [grantedEntry(state, phase, event)], { grants, fingerprint });
    }
    case "deny":
      return deny(state, phase, event, categories, NOT_ALLOWED_BY_USER);
    case "approve":
    case "stay":
    case "switch":
    case "branch":
      return refused("wrong_choice");
  }
};

const write = (state: State, phase: Pending<"write">, event: Decided): Transition => {
  const { write: what, scope, fingerprint } = phase.question;
  switch (event.choice) {
    case "approve":
    case "once":
    case "session": {
      if ((event.choice === "approve") !== (scope === undefined)) return refused("wrong_choice");
      const { id, name } = event.by;
      const by = name === undefined ? { id } : { id, name };
      const others = (state.standing ?? []).filter((one) => one.scope !== scope);
      const lasts = event.choice === "session" && scope !== undefined;
      const allowed: State = {
        ...state,
        denials: [],
        ...(lasts ? { standing: [...others, { scope, by }] } : {}),
      };
      if (frozen(state)) {
        return goOn(allowed, phase, event, [result(state, event.at, phase.call, hostError(FROZEN))]);
      }
      return release(allowed, phase, event.at, [grantedEntry(state, phase, event)], {
        grants: state.grants,
        approved: { write: what, by, at: event.at, fingerprint },
      });
    }
    case "deny":
      return deny(state, phase, event, [what], NOT_ALLOWED_BY_USER);
    case "stay":
    case "switch":
    case "branch":
      return refused("wrong_choice");
  }
};

const mode = (state: State, phase: Pending<"mode">, event: Decided): Transition => {
  switch (event.choice) {
    case "stay": {
      const { denied } = state.turn;
      const stays: State = { ...state, turn: { ...state.turn, denied: [...denied, "mode"] } };
      return goOn(counted(stays, event), phase, event, [declined(state, phase, event)]);
    }
    case "switch":
    case "branch":
      return release(state, phase, event.at, [grantedEntry(state, phase, event)], {
        grants: state.grants,
        confirmed: { by: event.by.id, branch: event.choice === "branch" },
      });
    case "approve":
    case "deny":
    case "once":
    case "session":
      return refused("wrong_choice");
  }
};

const deny = (
  state: State,
  phase: AwaitingApproval,
  event: Decided,
  what: readonly Denied[],
  text: string,
): Transition => {
  const denied = [...new Set([...state.turn.denied, ...what])];
  const told = result(state, event.at, phase.call, outcomeOf(text, phase, event));
  return goOn(counted({ ...state, turn: { ...state.turn, denied } }, event), phase, event, [told]);
};

const counted = (state: State, event: Decided): State => ({
  ...state,
  denials: [...state.denials, event.at].slice(-DENIALS_A_DAY),
});

const goOn = (state: State, phase: AwaitingApproval, event: Decided, append: readonly Entry[]): Transition =>
  proceed(
    state,
    { message: phase.question.message, calls: phase.rest, notes: phase.notes },
    event.at,
    append,
  );

const outcomeOf = (text: string, phase: AwaitingApproval, event: Decided): Outcome => {
  const isError = event.choice === "deny";
  const decision = decisionOf(event);
  const ask = askOf(phase.question);
  return ask.kind === "upgrade" && ask.from === undefined
    ? { kind: "host", text, isError, decision }
    : { kind: "host", text, isError, decision, ask };
};

const grantedEntry = (state: State, phase: AwaitingApproval, event: Decided): Entry =>
  entry(state, event.at, {
    kind: "granted",
    call: phase.call,
    ask: askOf(phase.question),
    decision: decisionOf(event),
  });

const decisionOf = ({ choice, by, at, comment }: Decided): Decision => ({ choice, by: by.id, at, comment });

const declined = (state: State, phase: Pending<"mode">, event: Decided): Entry =>
  result(state, event.at, phase.call, {
    kind: "mode",
    success: false,
    mode: state.mode,
    branch: false,
    decision: decisionOf(event),
    ask: askOf(phase.question),
  });
