/**
 * view(state, entries): the posts that the open turn should show, in order, free of any platform (design.md
 * idea 3). `entries` is any tail of the transcript that holds the open round whole; posts of what came before are
 * in the ledger already and do not change (D18).
 */

import type { Decision, Entry, Notice, Outcome } from "./transcript.ts";
import type { MessageId, Millis, PersonId, QuestionId } from "./id.ts";
import { mayRetry } from "./on-said.ts";
import { askOf, type AwaitingApproval, type Phase, type State } from "./state.ts";
import type { Ask, Call, Choice, Failure, Speaker, Usage } from "./words.ts";

export interface View {
  readonly posts: readonly Post[];
  /** What the agent is doing; null when it waits for people. */
  readonly status: Status | null;
}

export interface Post {
  /** Stable for the life of the post; the ledger's key. */
  readonly key: string;
  readonly at: Millis;
  /** False while it may still change. */
  readonly final: boolean;
  readonly actions: readonly Action[];
  readonly body: PostBody;
}

export type PostBody =
  | {
      readonly kind: "opening";
      readonly permission: State["permission"];
      readonly confinement: State["confinement"];
    }
  | { readonly kind: "user"; readonly message: MessageId; readonly speaker: Speaker; readonly images: number }
  | { readonly kind: "answer"; readonly message: MessageId }
  | {
      readonly kind: "activity";
      readonly message: MessageId;
      readonly call: Call;
      readonly status: "waiting" | "running" | "done" | "error";
      readonly outcome: Outcome | null;
    }
  | {
      readonly kind: "question";
      /** Null once it is answered. */
      readonly question: QuestionId | null;
      /** Whose message set off the turn that asks; absent where that is not known. */
      readonly asker?: PersonId;
      readonly message: MessageId;
      readonly call: Call;
      /** Absent means the upgrade. */
      readonly ask?: Ask;
      /** When it was first put, where it was put again. */
      readonly first?: Millis;
      readonly decision: Decision | null;
    }
  | { readonly kind: "notice"; readonly notice: Notice }
  | {
      readonly kind: "footer";
      readonly usage: Usage;
      readonly model: string;
      readonly mode: string;
      readonly permission: State["permission"];
      readonly duration: Millis;
    };

export type Action = Choice | "retry";

/** The answers that each question offers, as its buttons stand. */
export const ANSWERS: Readonly<Record<Ask["kind"], readonly Choice[]>> = {
  upgrade: ["approve", "deny"],
  danger: ["once", "session", "deny"],
  mode: ["stay", "switch", "branch"],
};

export interface Status {
  readonly kind: "thinking" | "retrying" | "running" | "stopping";
  /** Name of the tool that runs. */
  readonly tool: string | null;
  readonly attempt: number;
  /** While waiting: how long, and what went wrong before. */
  readonly wait: { readonly delay: Millis; readonly failure: Failure } | null;
  readonly actions: readonly "stop"[];
}

export const view = (state: State, entries: readonly Entry[]): View => ({
  posts: [
    ...opening(state, entries),
    ...entries.flatMap((entry) => postsOf(state, entry, entries)),
    ...footer(state),
  ],
  status: statusOf(state.phase),
});

/** First post of a conversation: what it works on and what holds it. */
const opening = (state: State, entries: readonly Entry[]): readonly Post[] => {
  const first = entries[0];
  if (state.turn.no !== 1 || first === undefined || first.kind !== "said" || first.turn !== 1) return [];
  const { permission, confinement } = state;
  return [post("opening", first.at, { kind: "opening", permission, confinement }, false)];
};

const postsOf = (state: State, entry: Entry, entries: readonly Entry[]): readonly Post[] => {
  switch (entry.kind) {
    case "said": {
      const { message, speaker, images } = entry;
      return [post(`said/${message}`, entry.at, { kind: "user", message, speaker, images })];
    }
    case "answer":
      return [...answerPost(entry), ...entry.calls.flatMap((call) => callPosts(state, entry, call, entries))];
    case "notice":
      return [noticePost(state, entry.at, entry.seq, entry.notice)];
    case "result":
    case "granted":
    case "note":
      return [];
  }
};

const answerPost = (entry: Entry & { kind: "answer" }): readonly Post[] =>
  entry.text === 0
    ? []
    : [post(`answer/${entry.message}`, entry.at, { kind: "answer", message: entry.message })];

/** A call is a question while and where a person decides it, an activity otherwise; one that was let go on is both. */
const callPosts = (
  state: State,
  answer: Entry & { kind: "answer" },
  call: Call,
  entries: readonly Entry[],
): readonly Post[] => {
  const { message, at } = answer;
  const outcome = outcomeOf(answer, call, entries);
  const key = `call/${message}/${call.id}`;
  const { phase } = state;
  const asked = { kind: "question", ...askerOf(state), message, call } as const;
  const granted = grantedOf(answer, call, entries).map(({ ask, decision, at: when }, index) =>
    post(`${key}/granted${index}`, when, { ...asked, question: null, ask, decision }),
  );
  if (phase.kind === "awaitingApproval" && phase.call.id === call.id && phase.question.message === message) {
    return [...granted, questionPost(key, state, phase)];
  }
  const decided = outcome === null || outcome.kind === "ran" ? null : outcome;
  if (decided !== null && decided.decision !== null) {
    const ask = decided.ask === undefined ? {} : { ask: decided.ask };
    const { decision } = decided;
    return [...granted, post(key, at, { ...asked, question: null, ...ask, decision })];
  }
  const status = activityStatus(phase, call, outcome);
  return [...granted, post(key, at, { kind: "activity", message, call, status, outcome }, outcome !== null)];
};

const questionPost = (key: string, state: State, { question, call }: AwaitingApproval): Post => {
  const ask = askOf(question);
  const body = {
    kind: "question",
    question: question.id,
    ...askerOf(state),
    message: question.message,
    call,
    ...(ask.kind === "upgrade" ? {} : { ask }),
    ...(question.first === undefined ? {} : { first: question.first }),
    decision: null,
  } as const;
  return post(key, question.askedAt, body, false, ANSWERS[ask.kind]);
};

const askerOf = ({ turn }: State): { readonly asker?: PersonId } =>
  turn.speaker === null ? {} : { asker: turn.speaker.id };

const grantedOf = (answer: Entry, call: Call, entries: readonly Entry[]) =>
  entries
    .slice(entries.indexOf(answer))
    .flatMap((entry) => (entry.kind === "granted" && entry.call.id === call.id ? [entry] : []));

const outcomeOf = (
  answer: Entry & { kind: "answer" },
  call: Call,
  entries: readonly Entry[],
): Outcome | null => {
  const from = entries.indexOf(answer);
  const found = entries.find(
    (entry, index) => index > from && entry.kind === "result" && entry.call.id === call.id,
  );
  return found?.kind === "result" ? found.outcome : null;
};

const activityStatus = (phase: Phase, call: Call, outcome: Outcome | null) => {
  if (outcome !== null) return outcome.kind !== "mode" && outcome.isError ? "error" : "done";
  const busy = phase.kind === "running" || phase.kind === "stopping";
  return busy && phase.call.id === call.id ? "running" : "waiting";
};

/** L11: another try is offered only while the state would take it. */
const noticePost = (state: State, at: Millis, seq: number, notice: Notice): Post => {
  const again = offersRetry(state, notice);
  return post(`notice/${seq}`, at, { kind: "notice", notice }, !again, again ? ["retry"] : []);
};

const offersRetry = (state: State, notice: Notice): boolean =>
  (notice.kind === "failed" || notice.kind === "interrupted") && mayRetry(state);

const footer = (state: State): readonly Post[] => {
  const { turn, model, mode, permission } = state;
  if (turn.end === null || turn.end.why !== "answered") return [];
  const duration = Math.max(0, turn.end.at - turn.begun);
  const body = { kind: "footer", usage: turn.usage, model, mode, permission, duration } as const;
  return [post(`footer/${turn.no}`, turn.end.at, body)];
};

const statusOf = (phase: Phase): Status | null => {
  switch (phase.kind) {
    case "idle":
    case "failed":
    case "awaitingApproval":
      return null;
    case "thinking":
      return phase.wait === null
        ? { kind: "thinking", tool: null, attempt: phase.attempt, wait: null, actions: ["stop"] }
        : { kind: "retrying", tool: null, attempt: phase.attempt, wait: phase.wait, actions: ["stop"] };
    case "running":
      return { kind: "running", tool: phase.call.name, attempt: 1, wait: null, actions: ["stop"] };
    case "stopping":
      return { kind: "stopping", tool: phase.call.name, attempt: 1, wait: null, actions: [] };
  }
};

const post = (
  key: string,
  at: Millis,
  body: PostBody,
  final = true,
  actions: readonly Action[] = [],
): Post => ({ key, at, final, actions, body });
