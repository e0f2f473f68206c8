/** Posts of the open turn, independent of any platform (docs/design/ideas.md, idea 3). */

import type { Agent } from "../machine/agent.ts";
import { percentUsed } from "../machine/context.ts";
import { isOpen, mayContinue } from "../machine/continuation.ts";
import type { Millis } from "../machine/id.ts";
import { MAX_CALLS } from "../machine/transition/answer.ts";
import { mayAskAgain } from "../machine/transition/message-received.ts";
import { type AwaitingApproval, askOf, isPaused, type Phase, type State } from "../machine/state.ts";
import type { Decision, Entry, Notice, Outcome } from "../machine/transcript.ts";
import type { QuestionSpec, Call } from "../machine/vocabulary.ts";
import {
  type Action,
  OPENING,
  type Post,
  type PostBody,
  type ThreadStatus,
  type ThreadPosts,
} from "./post.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import { waitingIn } from "./waiting-text.ts";
import { writeOf } from "./wording.ts";
import { answersTo, coverOf, readOf, requesterOf } from "./question.ts";
import { earlierIn, isFolded, modelIn, NARRATION, stepsIn, triesOf } from "./turn-post.ts";

/**
 * `entries`: any tail of the transcript that contains the whole open round, because earlier posts do not change (D18).
 * `before`: previous state, whose turn this step may have ended. The question keeps the speaker of that turn.
 */
export const view = (state: State, entries: readonly Entry[], before = state): ThreadPosts => ({
  posts: [
    ...opening(state, entries),
    ...addedPosts(state),
    ...entries.flatMap((entry) =>
      postsOf(state, entry, entries, entry.turn === state.turn.no ? state : before),
    ),
    ...warning(state),
    ...pause(state),
    ...footer(state, entries),
  ],
  status: withWaiting(statusOf(state.phase), state),
});

const opening = (state: State, entries: readonly Entry[]): readonly Post[] => {
  const first = entries[0];
  if (state.turn.no !== 1 || first === undefined || first.kind !== "said" || first.turn !== 1) return [];
  const { permission, confinement, mode } = state;
  return [post(OPENING, first.at, { kind: "opening", permission, confinement, mode }, false)];
};

/** An added message is shown at once, before a request contains it. */
const addedPosts = ({ turn: { added = [] } }: State): readonly Post[] =>
  added.map(({ message, at, speaker, images }) =>
    post(`said/${message}`, at, { kind: "user", message, speaker, images }),
  );

const postsOf = (state: State, entry: Entry, entries: readonly Entry[], whose: Asking): readonly Post[] => {
  switch (entry.kind) {
    case "said": {
      const { message, speaker, images } = entry;
      return [post(`said/${message}`, entry.at, { kind: "user", message, speaker, images })];
    }
    case "answer":
      return [...answerPost(entry), ...roundPosts(state, entry, entries, whose)];
    case "summary":
      return [summaryPost(state, entry)];
    case "notice":
      return entry.notice.kind === "context" || entry.notice.kind === "paused"
        ? []
        : [noticePost(state, entry.seq, entry.at, entry.notice, isFolded(entry.notice, entry, entries))];
    case "asked":
      return [askedPost(state, entry, entries)];
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

/** Calls beyond MAX_CALLS are answered only to the model. */
const roundPosts = (
  state: State,
  answer: Entry & { kind: "answer" },
  entries: readonly Entry[],
  whose: Asking,
): readonly Post[] => {
  const since = entries.slice(entries.indexOf(answer));
  const results = new Map<string, Result>();
  const granted = new Map<string, readonly Granted[]>();
  for (const entry of since) {
    if (entry.kind === "result" && !results.has(entry.call.id)) results.set(entry.call.id, entry);
    if (entry.kind === "granted") granted.set(entry.call.id, [...(granted.get(entry.call.id) ?? []), entry]);
  }
  const took = new Map(stepsIn(since).map((step) => [step.call, step.took]));
  return answer.calls.slice(0, MAX_CALLS).flatMap((call) => {
    const result = results.get(call.id) ?? null;
    const time = result === null ? undefined : took.get(result.call);
    return callPosts(state, answer, call, result, time, granted.get(call.id) ?? [], since, whose);
  });
};

type Asking = Pick<State, "turn" | "untrusted">;

type Result = Entry & { readonly kind: "result" };
type Granted = Entry & { readonly kind: "granted" };

/** A call is a question while a person must decide it, and otherwise an activity. An approved call is both. */
const callPosts = (
  state: State,
  answer: Entry & { kind: "answer" },
  call: Call,
  result: Result | null,
  took: Millis | undefined,
  grants: readonly Granted[],
  since: readonly Entry[],
  whose: Asking,
): readonly Post[] => {
  const { message, at, turn } = answer;
  const key = `call/${message}/${call.id}`;
  const { phase } = state;
  const outcome = result?.outcome ?? null;
  const plan = omitUndefined({ plan: answer.text > NARRATION || undefined });
  const asked = { question: null, turn, message, call, ...plan } as const;
  const granted = grants.map(({ ask, decision, at: when }, index) => {
    const cameTo = outcomeOf(ask, decision, result, since);
    return post(keyOf(key, index), when, questionOf(whose, ask, { ...asked, decision, ...cameTo }));
  });
  const next = keyOf(key, grants.length);
  if (phase.kind === "awaitingApproval" && phase.call.id === call.id && phase.question.message === message) {
    return [...granted, questionPost(next, state, phase, plan)];
  }
  if (outcome !== null && outcome.kind !== "ran" && outcome.decision !== null) {
    const { decision, ask } = outcome;
    const decided = { ...asked, decision, ...stoppedAt(result?.seq, since) };
    return [...granted, post(next, at, questionOf(whose, ask, decided))];
  }
  const status = activityStatus(phase, call, outcome);
  const agents = agentsOf(phase, call, outcome);
  const body = {
    kind: "activity",
    message,
    call,
    status,
    outcome,
    ...omitUndefined({ took, agents }),
  } as const;
  const activity = post(grants.length === 0 ? key : `${key}/run`, at, body, outcome !== null);
  return [...granted, activity, ...filePosts(at, outcome)];
};

/** A decided question keeps its key. Another question of the same call gets a new key. */
const keyOf = (call: string, index: number): string => (index === 0 ? call : `${call}/again${index}`);

type QuestionBody = PostBody & { readonly kind: "question" };

const questionOf = (
  whose: Asking,
  ask: QuestionSpec | undefined,
  facts: Omit<QuestionBody, "kind" | "asker" | "untrusted" | "ask" | "withheld">,
): QuestionBody => ({
  kind: "question",
  ...requesterOf(whose, ask),
  ...readOf(whose),
  ...omitUndefined({ ask, withheld: isWithheld(whose, ask) || undefined }),
  ...facts,
});

/** The question about an answer contains no text of the answer, so nothing is withheld. */
const isWithheld = ({ turn }: Asking, ask: QuestionSpec | undefined): boolean =>
  turn.reviewed !== undefined && ask?.kind !== "answer";

const outcomeOf = (
  ask: QuestionSpec,
  { choice }: Decision,
  result: Result | null,
  since: readonly Entry[],
): Pick<QuestionBody, "wrote" | "branched"> => {
  for (const entry of since) {
    if (entry.kind !== "notice") continue;
    const { notice } = entry;
    if (writeOf(ask, choice) !== null && notice.kind === "wrote" && entry.seq === result?.seq)
      return { wrote: notice.wrote };
    if (choice === "branch" && notice.kind === "branched") {
      const { to, link, why } = notice;
      return { branched: { to, ...omitUndefined({ link, why }) } };
    }
  }
  return {};
};

const stoppedAt = (seq: number | undefined, entries: readonly Entry[]): Pick<QuestionBody, "stopped"> => {
  for (const entry of entries) {
    if (entry.seq === seq && entry.kind === "notice" && entry.notice.kind === "stopped")
      return { stopped: entry.notice.why ?? true };
  }
  return {};
};

const agentsOf = (phase: Phase, call: Call, outcome: Outcome | null): readonly Agent[] | undefined => {
  if (outcome !== null) return outcome.kind === "mode" ? undefined : outcome.agents;
  const open = phase.kind === "awaitingAgents" || phase.kind === "stopping";
  return open && phase.call.id === call.id ? phase.agents : undefined;
};

/** The key contains the result, so that repeated projections of a round show a file once. */
const filePosts = (at: Millis, outcome: Outcome | null): readonly Post[] =>
  outcome?.kind !== "ran"
    ? []
    : Array.from({ length: outcome.files ?? 0 }, (_, index) =>
        post(`file/${outcome.message}/${index}`, at, { kind: "file", message: outcome.message, index }),
      );

const questionPost = (
  key: string,
  state: State,
  { question, call }: AwaitingApproval,
  plan: { readonly plan?: true } = {},
): Post => {
  const ask = askOf(question);
  const isPlain = ask.kind === "upgrade" && ask.from === undefined && ask.on === undefined;
  const body = questionOf(state, isPlain ? undefined : ask, {
    question: question.id,
    turn: state.turn.no,
    message: question.message,
    call,
    ...(ask.kind === "upgrade" ? { cover: coverOf(state) } : {}),
    decision: null,
    ...plan,
  });
  return post(key, question.askedAt, body, false, answersTo(state, ask));
};

const askedPost = (
  state: State,
  { at, call, message, ask, seq, turn }: Entry & { kind: "asked" },
  entries: readonly Entry[],
): Post => {
  const { phase } = state;
  const key = `asked/${seq}`;
  if (phase.kind === "awaitingApproval" && phase.call.id === call.id) return questionPost(key, state, phase);
  const made = entries.find((one) => one.kind === "granted" && one.call.id === call.id);
  const decision = made?.kind === "granted" ? made.decision : null;
  const facts = { question: null, turn, message, call, decision, ...stoppedAt(made?.seq, entries) };
  return post(key, at, questionOf(state, ask, facts));
};

const activityStatus = (phase: Phase, call: Call, outcome: Outcome | null) => {
  if (outcome !== null) return outcome.kind !== "mode" && outcome.isError ? "error" : "done";
  const busy = phase.kind === "running" || phase.kind === "awaitingAgents" || phase.kind === "stopping";
  return busy && phase.call.id === call.id ? "running" : "waiting";
};

/** The outcome of a write and unread messages need separate keys, because they may share a step with another notice. */
const noticePost = (state: State, seq: number, at: Millis, notice: Notice, folded: boolean): Post => {
  const actions = triesOf(state, notice);
  return post(
    `${notice.kind === "wrote" || notice.kind === "unread" ? notice.kind : "notice"}/${seq}`,
    at,
    { kind: "notice", notice, ...omitUndefined({ folded: folded || undefined }) },
    actions.length === 0,
    actions,
  );
};

/** Made from the state, because the warning outlives its turn. The button exists only while nothing runs (L11, C24). */
const warning = (state: State): readonly Post[] => {
  const { warning: told, window } = state.context;
  if (told === undefined) return [];
  const { seq, at, used } = told;
  const offers = mayContinue(state);
  const body = { kind: "notice", notice: { kind: "context", used, window }, folded: true } as const;
  return [post(`notice/${seq}`, at, body, false, offers ? ["continue"] : [])];
};

/** Like the warning, this post outlives its turn. The post also says when the pause is over. */
const pause = (state: State): readonly Post[] => {
  if (state.pause === undefined) return [];
  const { seq, at, until } = state.pause;
  const over = !isPaused(state) || undefined;
  const body = { kind: "notice", notice: { kind: "paused", until, ...omitUndefined({ over }) } } as const;
  return [post(`notice/${seq}`, at, body, false, mayAskAgain(state) ? ["ask_again"] : [])];
};

const summaryPost = (state: State, { seq, at, ...entry }: Entry & { kind: "summary" }): Post => {
  const { phase } = state;
  const { message, ended, percent, by, rejected } = entry;
  const { next = null, link, carried } = phase.kind === "exhausted" ? phase : {};
  const body = {
    kind: "summary",
    message,
    ended,
    percent,
    by,
    rejected,
    next,
    ...omitUndefined({ link, carried, withheld: state.turn.reviewed !== undefined || undefined }),
  } as const;
  const offered: readonly Action[] = message === null ? ["new_empty"] : ["with_summary", "new_empty"];
  return post(`summary/${seq}`, at, body, next !== null, isOpen(state) ? offered : []);
};

const footer = (state: State, entries: readonly Entry[]): readonly Post[] => {
  const { turn, model, mode, permission } = state;
  if (turn.end === null || turn.end.why !== "answered") return [];
  const duration = Math.max(0, turn.end.at - turn.begun);
  const own = entries.filter((entry) => entry.turn === turn.no);
  const last = own.findLast((entry) => entry.kind === "answer");
  const body = {
    kind: "footer",
    usage: turn.usage,
    model,
    ...modelIn(own),
    mode,
    permission,
    duration,
    ...omitUndefined({
      answer: last?.kind === "answer" && last.text > 0 ? last.message : undefined,
      context: percentUsed(state.context) || undefined,
      earlier: earlierIn(own),
    }),
  } as const;
  return [post(`footer/${turn.no}`, turn.end.at, body)];
};

const statusOf = (phase: Phase): ThreadStatus | null => {
  switch (phase.kind) {
    case "idle":
    case "failed":
    case "awaitingApproval":
    case "ended":
    case "exhausted":
      return null;
    case "summarizing":
    case "thinking": {
      const { attempt, wait } = phase;
      const kind = wait === null ? phase.kind : "retrying";
      return { kind, tool: null, attempt, wait, actions: ["stop"] };
    }
    case "running":
    case "awaitingAgents":
      return { kind: "running", tool: phase.call.name, attempt: 1, wait: null, actions: ["stop"] };
    case "stopping":
      return { kind: "stopping", tool: phase.call.name, attempt: 1, wait: null, actions: [] };
  }
};

const withWaiting = (status: ThreadStatus | null, state: State): ThreadStatus | null => {
  const waiting = waitingIn(state);
  return status === null || waiting.length === 0 ? status : { ...status, waiting };
};

const post = (
  key: string,
  at: Millis,
  body: PostBody,
  final = true,
  actions: readonly Action[] = [],
): Post => ({ key, at, final, actions, body });
