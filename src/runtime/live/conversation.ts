/**
 * R1 Nothing is performed or published before its commit (idea 2). R2 If the disk refuses an outcome, it is tried again, never
 * dropped. R3 The only armed timer is the state's deadline. R4 No event is processed before `woken` is stored: its repair must
 * not reach a turn that began in this process.
 */

import { deadline } from "../../machine/deadline.ts";
import type { Effect } from "../../machine/effect.ts";
import type { Event, EventKind } from "../../machine/event.ts";
import type { ConversationId, EffectId, Millis, PersonId } from "../../machine/id.ts";
import { inFlight, isSettled, type State } from "../../machine/state.ts";
import type { Step } from "../../machine/step.ts";
import type { Entry } from "../../machine/transcript.ts";
import { startable } from "../../machine/transition/later-messages.ts";
import { transition } from "../../machine/transition/transition.ts";
import type { ConversationChange, Detail, Overview } from "../../ports/bot.ts";
import type { Base, Conversation } from "../../ports/conversation.ts";
import type { Erasure } from "../../ports/erasure.ts";
import { type Ambient, CLOSING, type RandomId, type WriteFailure } from "../../ports/host.ts";
import type { PostRow, Store, StoredConversation } from "../../ports/store.ts";
import type { CheckedPrefix } from "../../ports/surface.ts";
import type { Tools } from "../../ports/tools.ts";
import { labels } from "../../thread/labels.ts";
import { type AgentStatus, OPENING, type SetupStatus, type ThreadStatus } from "../../thread/post.ts";
import { turnPost } from "../../thread/turn-post.ts";
import { view } from "../../thread/view.ts";
import { restoresFromArchive } from "./unarchive.ts";
import { logAttempt } from "./attempts.ts";
import { createMailbox, type DeliveredEvent, type Lane, deliveredEvent } from "./mailbox.ts";
import { createProjection } from "./projection.ts";
import { questionChanges } from "./question.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

const DISK_RETRY: Millis = 1_000;

export interface LiveDeps extends Ambient {
  readonly store: Store;
  readonly randomId: RandomId;
  readonly tools: Pick<Tools, "look">;
  /** Called in order. Must not throw. */
  readonly perform: (live: Live, effect: Effect) => void;
  /** Receives every change of every conversation before the conversation's own listeners. Must not throw. */
  readonly watch?: (id: ConversationId, change: ConversationChange) => void;
  /** Returns the time for which the platform's thread shows no newer text. Absent if no platform does so. */
  readonly unseenFor?: (id: ConversationId) => Millis;
}

export interface Live {
  post(delivery: DeliveredEvent): void;
  state(): State;
  conversation(): Conversation;
  overview(): Overview;
  detail(): Detail;
  setBase(base: Base): Promise<WriteFailure | null>;
  /** `by`: null for a title from the first message. */
  setTitle(title: string, by: PersonId | null): Promise<WriteFailure | null>;
  setArchived(archived: boolean): Promise<WriteFailure | null>;
  /** Number of erasures: text that was read before the last erasure is stale. */
  erasures(): number;
  /** `text`: cumulative text of the request. A null request ends the stream. */
  stream(request: EffectId | null, text: string, looked?: CheckedPrefix): void;
  /** Returns the time for which nobody sees newer text. */
  unseenFor(): Millis;
  progress(line: string | null): void;
  /** Shows activity that is not part of the state and not stored. */
  show(change: Partial<Aside>): void;
  subscribe(listener: (change: ConversationChange) => void): () => void;
  /** Whether the conversation can be unloaded without loss: no listener and no work (D5). */
  evictable(): boolean;
  drained(): Promise<void>;
  /** No event is processed afterwards. */
  close(): void;
  shown(rows: readonly PostRow[]): void;
  gone(): void;
}

interface Aside {
  readonly agents: readonly AgentStatus[];
  readonly setUp: SetupStatus | null;
  /** Set if the model has sent no text for a minute. */
  readonly silent: EffectId | null;
}

/** `wake`: the first event, tried until the disk accepts it (D5); null if this process started it before. */
export const createLive = (stored: StoredConversation, deps: LiveDeps, wake: DeliveredEvent | null): Live => {
  const { store, clock, log } = deps;
  const listeners = new Set<(change: ConversationChange) => void>();
  const projection = createProjection();
  let { conversation, state } = stored;
  /** Entries of the latest turn. Grows in place: copying it in each step would make a long turn quadratic. */
  const entries: Entry[] = [...stored.turn];
  let streamed: { request: EffectId | null; text: string } = { request: null, text: "" };
  let timer: { for: EffectId; cancel: () => void } | null = null;
  let closed = false;
  let erasures = 0;
  let waking = wake;
  let aside: Aside = { agents: [], setUp: null, silent: null };

  const handle = async (delivery: DeliveredEvent): Promise<void> => {
    if (closed) return delivery.settle?.(CLOSING);
    const asleep = await awaken();
    if (asleep !== null) return fail(delivery, asleep);
    if (delivery === wake) return;
    const event: Event = { at: clock.now(), ...delivery.event };
    const next = transition(state, event);
    if (next.kind === "refused") return refuse(delivery, event, next.why);
    const failure = await commit(delivery, event, next);
    if (failure === null) delivery.settle?.({ kind: "accepted" });
    else fail(delivery, failure);
  };

  const fail = (delivery: DeliveredEvent, failure: WriteFailure): void => {
    if (delivery.settle === null) offerAgain(delivery, failure);
    else delivery.settle(failure);
  };

  const awaken = async (): Promise<WriteFailure | null> => {
    if (waking === null) return null;
    const event: Event = { at: clock.now(), ...waking.event };
    const next = transition(state, event);
    const failure = next.kind === "refused" ? null : await commit(waking, event, next);
    if (failure === null) waking = null;
    return failure;
  };

  const refuse = async (
    delivery: DeliveredEvent,
    event: Event,
    why: Parameters<Store["refuse"]>[1],
  ): Promise<void> => {
    if (delivery.settle === null) {
      log.info("conversation: event ignored, no longer awaited", {
        conversation: state.id,
        event: event.kind,
      });
      return;
    }
    const written = delivery.claim === null ? null : await store.refuse(delivery.claim, why, event.at);
    delivery.settle(written?.kind === "failed" ? written : { kind: "refused", why });
  };

  const commit = async (delivery: DeliveredEvent, event: Event, step: Step): Promise<WriteFailure | null> => {
    const before = state;
    const { posts, status } = view(step.state, [...openRound(entries), ...step.append], before);
    const turn = turnPost(before, step.state, entries, step.append, deps.tools.look);
    const projected = projection.next(turn === null ? posts : [...posts, turn]);
    const erasure = delivery.erasure?.() ?? null;
    const back = restoresFromArchive(delivery.actor, event, step.state);
    const committed = await store.commit({
      conversation: state.id,
      event,
      labels: labels(before, event, step.state),
      actor: delivery.actor,
      before,
      after: step.state,
      effects: step.effects,
      append: step.append,
      words: delivery.words,
      posts: projected.changed,
      questions: questionChanges(before, event, step.state, delivery.actor, deps.randomId),
      claim: delivery.claim ?? delivery.version ?? null,
      ...omitUndefined({
        version: delivery.version,
        back: back || undefined,
        erasure: erasure ?? undefined,
      }),
    });
    if (committed.kind === "failed") return committed;
    logAttempt(log, state, event, step.state);
    state = step.state;
    grow(entries, step.append);
    projected.stored();
    conversation = { ...conversation, updatedAt: lastTouched(conversation.updatedAt, event) };
    if (back) conversation = shelved(false);
    if (committed.posts.length > 0) publish({ kind: "posts", rows: committed.posts });
    if (erasure !== null) showAnew(erasure);
    if (streamed.request !== null && !isAsking(state, streamed.request)) live.stream(null, "");
    publishState(status);
    arm();
    for (const effect of step.effects) deps.perform(live, effect);
    return null;
  };

  /** Posts name their words by id, so posts with erased words must be published again. */
  const showAnew = ({ words, title, uninstructed }: Erasure): void => {
    erasures += 1;
    if (uninstructed) {
      const { instructions: _, ...rest } = conversation;
      conversation = rest;
    }
    if (title !== null) {
      const { titledBy: _, ...rest } = conversation;
      conversation = { ...rest, title };
    }
    const rows = store.postsWith(
      state.id,
      words.map(({ id }) => id),
    );
    if (rows.length > 0) publish({ kind: "posts", rows });
  };

  const offerAgain = (delivery: DeliveredEvent, failure: WriteFailure): void => {
    if (failure.code === "conflict") {
      log.error("conversation: step dropped, stored data differs", {
        conversation: state.id,
        why: failure.message,
      });
      return;
    }
    log.error("conversation: step not stored, retry scheduled", {
      conversation: state.id,
      code: failure.code,
    });
    clock.after(DISK_RETRY, () => mailbox.post(delivery, "normal"));
  };

  const arm = (): void => {
    const wanted = deadline(state);
    if (timer?.for === wanted?.for) return;
    timer?.cancel();
    timer = null;
    if (wanted === null) return;
    const due: EventKind = { kind: "due", for: wanted.for };
    timer = {
      for: wanted.for,
      cancel: clock.after(wanted.delay, () => mailbox.post(deliveredEvent(due), "normal")),
    };
  };

  const publish = (change: ConversationChange): void => {
    deps.watch?.(state.id, change);
    for (const listener of listeners) listener(change);
  };

  const publishState = (status: ThreadStatus | null, renamed = false): void => {
    if (listeners.size === 0 && deps.watch === undefined) return;
    const overview = { conversation, state };
    const change: ConversationChange = {
      kind: "state",
      overview,
      status: beside(status),
      question: question(),
    };
    publish(renamed ? { ...change, renamed } : change);
  };

  const shelved = (archived: boolean): Conversation => {
    const { archived: _, ...rest } = conversation;
    return archived ? { ...rest, archived } : rest;
  };

  const beside = (status: ThreadStatus | null): ThreadStatus | null => {
    const { agents, setUp, silent } = aside;
    return status === null
      ? null
      : {
          ...status,
          ...(agents.length === 0 ? {} : { agents }),
          ...omitUndefined({ setUp: setUp ?? undefined }),
          ...(silent !== null && inFlight(state, silent) !== null ? { silent: true } : {}),
        };
  };

  const question = () => (state.phase.kind === "awaitingApproval" ? store.pendingQuestion(state.id) : null);

  const mailbox = createMailbox(handle);

  const live: Live = {
    post: (delivery) => mailbox.post(delivery, laneOf(delivery.event)),
    state: () => state,
    conversation: () => conversation,
    overview: () => ({ conversation, state }),
    detail: () => ({
      conversation,
      state,
      get posts() {
        return store.posts(state.id, 0);
      },
      question: question(),
      status: beside(view(state, []).status),
      live: streamed.text,
    }),
    setBase: async (base) => {
      const done = await store.setBase(state.id, base);
      if (done.kind === "failed") return done;
      conversation = { ...conversation, base };
      const opening = store.post(state.id, OPENING);
      if (opening !== null) publish({ kind: "posts", rows: [opening] });
      publishState(view(state, []).status);
      return null;
    },
    setTitle: async (title, by) => {
      const done = await store.setTitle(state.id, title, by);
      if (done.kind === "failed") return done;
      const { titledBy: _, ...rest } = conversation;
      conversation = { ...rest, title, ...omitUndefined({ titledBy: by ?? undefined }) };
      publishState(view(state, []).status, by !== null);
      return null;
    },
    setArchived: async (archived) => {
      const done = await store.setArchived(state.id, archived);
      if (done.kind === "failed") return done;
      conversation = shelved(archived);
      publishState(view(state, []).status);
      return null;
    },
    erasures: () => erasures,
    stream: (request, text, looked) => {
      streamed = { request, text };
      publish({ kind: "live", request, text, ...omitUndefined({ looked }) });
    },
    unseenFor: () => (listeners.size > 0 ? 0 : (deps.unseenFor?.(state.id) ?? 0)),
    progress: (line) => publish({ kind: "progress", line }),
    show: (change) => {
      aside = { ...aside, ...change };
      publishState(view(state, []).status);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    evictable: () =>
      waking === null &&
      mailbox.empty() &&
      listeners.size === 0 &&
      aside.setUp === null &&
      !state.background &&
      state.grants.length === 0 &&
      startable(state) === null &&
      isSettled(state.phase),
    drained: () => mailbox.drained(),
    close: () => {
      closed = true;
      timer?.cancel();
    },
    shown: (rows) => publish({ kind: "posts", rows }),
    gone: () => publish({ kind: "gone" }),
  };
  arm();
  if (wake !== null) live.post(wake);
  return live;
};

/** Streamed text stays until its request is over, so that the answer's post replaces it without a gap. */
const isAsking = ({ phase }: State, request: EffectId): boolean =>
  phase.kind === "thinking" && phase.request === request;

/** As in the store: a process start is no activity, and a clock that was set back changes nothing. */
const lastTouched = (before: Millis, event: Event): Millis =>
  event.kind === "woken" ? before : Math.max(before, event.at);

/** An erasure follows its stop directly, so that no queued message begins a turn with the words in between. */
const laneOf = ({ kind }: EventKind): Lane => (kind === "stopped" || kind === "erased" ? "stop" : "normal");

/** Entries from the last response on: earlier posts do not change any more (D18). */
const openRound = (turn: readonly Entry[]): readonly Entry[] =>
  turn.slice(
    Math.max(
      0,
      turn.findLastIndex(({ kind }) => kind === "answer"),
    ),
  );

const grow = (turn: Entry[], append: readonly Entry[]): void => {
  const last = append.at(-1)?.turn ?? turn[0]?.turn;
  if (turn[0]?.turn !== last) turn.length = 0;
  turn.push(...append.filter((entry) => entry.turn === last));
};
