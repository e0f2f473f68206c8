/**
 * Agent sessions (WS14): Slack shows for each thread whether the agent works, with a *Stop* button, waits for a
 * person, or is done. One queue for all threads keeps within Slack's limit, and the newest status of a thread
 * wins. Apps that are no agents refuse sessions; then the status line alone shows the work.
 *
 * Streams and the status line change a session on their own. Each such change is reported here, so that a late
 * one is corrected. Where answers begin at once, the start of the stream is the status (`quick-answers.ts`).
 */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { ConversationId, Millis } from "../../../src/machine/id.ts";
import { isCostly, isTurnOver } from "../../../src/machine/state.ts";
import type { ConversationChange, Overview } from "../../../src/ports/bot.ts";
import { atMost, type Clock, type Log } from "../../../src/ports/host.ts";
import type { Store } from "../../../src/ports/store.ts";
import { type Ledger, mayPass, type SendOutcome, type Thread, whyOf } from "../../../src/ports/surface.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { attemptSlackCall } from "../api/failure.ts";
import { createQuickAnswers } from "./quick-answers.ts";

export type SessionStatus = "active" | "processing" | "suspended" | "closed";

/** Sessions, as streams and the status line use them. */
export interface SessionView {
  /** Null if the thread has no session. */
  statusOf(thread: Thread): SessionStatus | null;
  /** Reports that another call set the session's status. */
  changed(thread: Thread, status: SessionStatus): void;
  /** Reports that an answer is streamed, whose stop sets the status at the end of the turn. */
  streams(thread: Thread, isOpen: boolean): void;
}

export const NO_SESSIONS: SessionView = {
  statusOf: () => null,
  changed: () => undefined,
  streams: () => undefined,
};

interface SessionDeps {
  readonly client: webApi.WebClient;
  readonly ledger: Pick<Ledger, "thread" | "find" | "behind">;
  readonly store: Pick<Store, "load">;
  readonly clock: Clock;
  readonly log: Log;
}

export type AgentSessions = ReturnType<typeof createAgentSessions>;

interface Session {
  thread: Thread;
  wanted: SessionStatus;
  /** Status during the handling of Slack's own Stop, until the turn's state is known. */
  stopped: boolean;
  isStreaming: boolean;
  /** Status that Slack has; null if unknown. */
  shown: SessionStatus | null;
  title: string;
  /** Title that Slack has; null if unknown. */
  titled: string | null;
  /** Slack's id of the requester; null if the requester is unknown to Slack or no member. */
  initiator: string | null;
  /** Whether a stream made the session, which then has no title. */
  isUntitled: boolean;
  /** Whether the conversation's first turn runs, so that nobody else can have named the session. */
  isNew: boolean;
  calls: number;
  /** Status that the call which began last sets or expects. */
  sent: SessionStatus | null;
  /** Whether another call may have overtaken the session's calls. */
  isDoubtful: boolean;
  failures: number;
  cancel: (() => void) | null;
}

const SURFACE = "slack";
const REMEMBERED = 2_000;
/** The limits allow at most fifty calls in any minute, as Slack does. */
const BURST = 15;
const EVERY: Millis = 1_720;
/** Slack ends `processing` after an hour. */
const RENEWED: Millis = 45 * 60_000;
const MOST_FAILURES = 5;
/** Unfinished threads whose sessions are set when the process starts. */
const AT_START = 200;
const LAST_CALLS: Millis = 2_000;
/** Time in which the stop of a stream is expected to set the status. */
const STOP_EXPECTED: Millis = 5_000;

export const createAgentSessions = ({ client, ledger, store, clock, log }: SessionDeps) => {
  const sessions = createLruCache<Session>(REMEMBERED);
  const waiting = new Map<ConversationId, Session>();
  const running = new Set<Promise<void>>();
  const quick = createQuickAnswers(clock);
  let tokens = BURST;
  let isPaused = false;
  let isOn = false;
  let isClosed = false;
  /** Whether Slack took a session in this process. Later refusals concern one thread. */
  let isAccepted = false;
  let isRefused = false;
  let isWarned = false;

  const statusNow = (session: Session): SessionStatus => (session.stopped ? "active" : session.wanted);

  const hear = (id: ConversationId, overview: Overview): void => {
    if (isRefused || isClosed || overview.state.turn.no === 0) return;
    const session = sessions.get(id) ?? begun(id, overview);
    if (session === null) return;
    session.wanted = sessionStatusOf(overview);
    quick.works(id, session.wanted === "processing");
    session.isNew = overview.state.turn.no <= 1;
    session.title = titleOf(overview);
    require(id, session);
  };

  const begun = (id: ConversationId, overview: Overview): Session | null => {
    const thread = ledger.thread(id);
    if (thread?.surface !== SURFACE) return null;
    const session = newSession(thread, overview);
    sessions.set(id, session);
    return session;
  };

  const require = (id: ConversationId, session: Session): void => {
    if (isRefused || isClosed || !differs(session)) return;
    if (session.isStreaming && session.wanted === "active" && session.shown === "processing")
      return expectStop(id, session);
    if (mayWait(session) && quick.expects(id, () => require(id, session))) return;
    waiting.set(id, session);
    pump();
  };

  /** A direct message is found again by the title of its session. */
  const mayWait = ({ stopped, thread, titled }: Session): boolean =>
    !stopped && (titled !== null || !thread.place.startsWith("D"));

  const expectStop = (id: ConversationId, session: Session): void => {
    clock.after(STOP_EXPECTED, () => {
      session.isStreaming = false;
      require(id, session);
    });
  };

  const differs = (session: Session): boolean =>
    statusNow(session) !== session.shown || (session.titled !== null && session.titled !== session.title);

  const pump = (): void => {
    if (!isOn) return;
    for (const [id, session] of waiting) {
      if (isPaused || tokens === 0) return;
      // The running call checks the status again when it ends.
      waiting.delete(id);
      if (session.calls > 0) continue;
      send(id, session);
    }
  };

  const send = (id: ConversationId, session: Session): void => {
    spend();
    const call = carry(id, session).finally(() => running.delete(call));
    running.add(call);
  };

  /** Takes one token of the rate limit. Taken tokens return one after another. */
  const spend = (): void => {
    tokens = Math.max(0, tokens - 1);
    if (tokens === BURST - 1) refill();
  };

  const refill = (): void => {
    clock.after(EVERY, () => {
      tokens += 1;
      if (tokens < BURST) refill();
      pump();
    });
  };

  const carry = async (id: ConversationId, session: Session): Promise<void> => {
    // Slack may have changed the channel's id. A removed conversation has no row.
    session.thread = ledger.thread(id) ?? session.thread;
    const { place, root } = session.thread;
    const current = ledger.find(SURFACE, place, root);
    // A later conversation of the same thread has the session.
    if (current !== null && current.conversation !== id) return sessions.forget(id);
    session.isDoubtful = session.calls > 0;
    session.calls += 1;
    const outcome = await call(session);
    session.calls -= 1;
    if (isRefused || session.calls > 0) return;
    if (session.isDoubtful) session.shown = null;
    settle(id, session, outcome);
  };

  const call = async (session: Session): Promise<SendOutcome> => {
    const status = statusNow(session);
    session.sent = status;
    if (session.shown === status && session.titled !== session.title) return rename(session);
    const isFirst = session.shown === null;
    const outcome = await attemptSlackCall(async () => {
      const answer = await client.agents.sessions.setStatus({
        channel_id: session.thread.place,
        thread_ts: session.thread.root,
        status,
        // Slack reads title and initiator only when a session starts.
        ...(isFirst && session.title !== "" ? { title: session.title } : {}),
        ...(isFirst && session.initiator !== null ? { initiator_user_id: session.initiator } : {}),
      });
      const {
        title = inNewSession(session.title),
        response_metadata: more,
        warning = "",
      } = answered.parse(answer);
      warn([warning, ...(more?.warnings ?? [])]);
      session.titled ??= session.isUntitled ? "" : session.isNew ? title : session.title;
      session.isUntitled = false;
      return { kind: "done", id: session.thread.root } as const;
    });
    if (outcome.kind !== "done") return outcome;
    session.shown = status;
    isAccepted = true;
    renewLater(session);
    return outcome;
  };

  /** Slack replaces some characters in the title of a new session, and the title may change later. */
  const rename = async (session: Session): Promise<SendOutcome> => {
    const { title, thread } = session;
    // A refused title is not tried again.
    session.titled = title;
    if (title === "") return { kind: "done", id: thread.root };
    return attemptSlackCall(async () => {
      await client.agents.sessions.rename({ channel_id: thread.place, thread_ts: thread.root, title });
      return { kind: "done", id: thread.root };
    });
  };

  const settle = (id: ConversationId, session: Session, outcome: SendOutcome): void => {
    const why = outcome.kind === "done" ? "" : whyOf(outcome, "Slack");
    if (outcome.kind === "done") session.failures = 0;
    else if (outcome.kind === "throttled") pause(outcome.retryAfter);
    else if (NO_AGENT.has(why) || (why === "not_authorized" && !isAccepted)) return refuse(why);
    else if (OF_INITIATOR.has(why) && session.initiator !== null) session.initiator = null;
    else if (mayPass(outcome) && session.failures < MOST_FAILURES) {
      session.failures += 1;
      clock.after(1_000 * 2 ** session.failures, () => require(id, session));
      return;
    } else {
      log.info("slack: session status not set", { conversation: id, why });
      // The next status is tried again.
      session.failures = 0;
      session.shown = statusNow(session);
    }
    require(id, session);
  };

  const pause = (delay: Millis): void => {
    isPaused = true;
    clock.after(delay, () => {
      isPaused = false;
      pump();
    });
  };

  const refuse = (why: string): void => {
    if (!isRefused) log.info("slack: agent sessions refused, status line used instead", { why });
    isRefused = true;
    waiting.clear();
  };

  const renewLater = (session: Session): void => {
    session.cancel?.();
    session.cancel = null;
    if (session.shown !== "processing" || isClosed) return;
    session.cancel = clock.after(RENEWED, () => {
      if (session.shown !== "processing") return;
      session.shown = null;
      require(session.thread.conversation, session);
    });
  };

  const warn = (warnings: readonly string[]): void => {
    if (isWarned || !warnings.includes(NO_STOP)) return;
    isWarned = true;
    log.warn("slack: no Stop button, event agent_session_stopped not subscribed", {
      remedy: "Paste the manifest again under App Manifest.",
    });
  };

  /** Ends a session that this process does not know. */
  const clear = async (place: string, root: string): Promise<void> => {
    if (isRefused || !isOn) return;
    const outcome = await attemptSlackCall(async () => {
      await client.agents.sessions.setStatus({ channel_id: place, thread_ts: root, status: "active" });
      return { kind: "done", id: root } as const;
    });
    if (outcome.kind !== "done") log.info("slack: session status not set", { why: whyOf(outcome, "Slack") });
  };

  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };

  const view: SessionView = {
    statusOf: ({ conversation }) => {
      const session = sessions.get(conversation);
      return isRefused || session === undefined ? null : statusNow(session);
    },
    changed: ({ conversation }, status) => {
      const session = sessions.get(conversation);
      if (session === undefined || isRefused) return;
      if (session.calls > 0) session.isDoubtful ||= status !== session.sent;
      else {
        session.isUntitled ||= session.isNew && session.titled === null;
        session.shown = status;
        renewLater(session);
      }
      require(conversation, session);
    },
    streams: ({ conversation }, isOpen) => {
      const session = sessions.get(conversation);
      if (session !== undefined) session.isStreaming = isOpen;
      if (isOpen) quick.begins(conversation);
    },
  };

  return {
    view,
    /** Starts to call Slack. A process that ended may have left a session at work. */
    start: (): void => {
      isOn = true;
      for (const { conversation } of ledger.behind(SURFACE).slice(0, AT_START)) {
        const stored = sessions.get(conversation) === undefined ? store.load(conversation) : null;
        if (stored !== null) hear(conversation, stored);
      }
      pump();
    },
    heard: (id: ConversationId, change: ConversationChange): void => {
      if (change.kind === "state") hear(id, change.overview);
      const session = change.kind === "gone" ? sessions.get(id) : undefined;
      if (session === undefined) return;
      session.wanted = "closed";
      quick.works(id, false);
      require(id, session);
    },
    /**
     * Makes the session active at once, because Slack leaves the status to the app when a person presses *Stop*. The returned
     * function restores the status of the turn, which continues if that person has no right to stop the turn.
     */
    stop: (place: string, root: string): (() => void) => {
      const id = ledger.find(SURFACE, place, root)?.conversation;
      const session = id === undefined ? undefined : sessions.get(id);
      if (id === undefined || session === undefined) {
        void clear(place, root);
        return () => undefined;
      }
      session.stopped = true;
      // The status is sent in any case, because Slack showed the button.
      session.shown = null;
      if (isOn && !isRefused && !isClosed) send(id, session);
      return () => {
        session.stopped = false;
        require(id, session);
      };
    },
    close: async (): Promise<void> => {
      await atMost(clock, LAST_CALLS, idle());
      isClosed = true;
      waiting.clear();
    },
  };
};

export const sessionStatusOf = ({ conversation, state: { phase } }: Overview): SessionStatus => {
  if (conversation.archived === true) return "closed";
  if (phase.kind === "awaitingApproval" || isCostly(phase)) return "suspended";
  // A stopped turn has ended for its people, even while its tool is still running.
  if (phase.kind === "stopping") return phase.then === null ? "active" : "processing";
  return isTurnOver(phase) ? "active" : "processing";
};

const newSession = (thread: Thread, overview: Overview): Session => ({
  thread,
  wanted: sessionStatusOf(overview),
  stopped: false,
  isStreaming: false,
  shown: null,
  title: titleOf(overview),
  titled: null,
  isUntitled: false,
  initiator: initiatorOf(overview),
  isNew: overview.state.turn.no <= 1,
  calls: 0,
  sent: null,
  isDoubtful: false,
  failures: 0,
  cancel: null,
});

/** Code points, so that no pair of UTF-16 units is cut; Slack allows 200 units. */
const LONGEST = 100;

const titleOf = ({ conversation }: Overview): string =>
  Array.from(conversation.title.replaceAll(/\s+/gu, " ").trim()).slice(0, LONGEST).join("");

const initiatorOf = ({ conversation, state }: Overview): string | null =>
  [conversation.createdBy, state.turn.speaker?.id ?? ""]
    .flatMap((person) => /^slack:([UW][A-Z0-9]+)$/.exec(person)?.[1] ?? [])
    .at(0) ?? null;

/** Refusals that concern the app and not one thread. */
const NO_AGENT: ReadonlySet<string> = new Set([
  "not_agent_app",
  "feature_disabled",
  "feature_not_enabled",
  "unknown_method",
  "missing_scope",
]);

/** A requester who left the channel cannot have a session. */
const OF_INITIATOR: ReadonlySet<string> = new Set([
  "invalid_arguments",
  "invalid_user",
  "invalid_initiator",
  "not_in_channel",
  "user_not_found",
  "user_not_in_channel",
]);

const NO_STOP = "missing_agent_session_stopped_event_subscription";

/** Slack's form of a title that is set at the start of a session. */
const inNewSession = (title: string): string => title.replaceAll(":", "_");

const answered = z.object({
  title: z.string().optional(),
  warning: z.string().optional(),
  response_metadata: z.object({ warnings: z.array(z.string()).optional() }).optional(),
});
