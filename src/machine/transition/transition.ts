/**
 * Pure: the same input gives the same output (L1), every state handles every event (L2), and a refusal changes nothing. The
 * laws are numbered in docs/design/ideas.md and proved in test/machine/laws.test.ts.
 */

import { continued, moved, summarized } from "../continuation.ts";
import type { Event } from "../event.ts";
import { onDecision } from "./decide.ts";
import { agentReported } from "./agents.ts";
import { onModelAnswered, onModelFailed } from "./answer.ts";
import { onBranchCopied } from "./branched.ts";
import { onGranted, onModelSet, onModeSet, onRestricted, onSafeModeSet } from "./permission.ts";
import {
  onCallBlocked,
  onProposalReady,
  onCheckoutRestored,
  onCallEnded,
  onNetworkAccessed,
  onSetupEnded,
} from "./result.ts";
import { onPauseEnded, onRetry, onMessageReceived, onUpgradeRequested } from "./message-received.ts";
import { onTimeLimit, onStop } from "./stop.ts";
import { onProcessStopping, onProcessStarted } from "./process-events.ts";
import { busyRefusal } from "../refusal.ts";
import {
  areUnread,
  onAdded,
  onQueued,
  onRenewed,
  onUnqueued,
  onWaitingRefused,
  onWaitingStarted,
  withLaterMessages,
  withoutMessages,
} from "./later-messages.ts";
import type { State } from "../state.ts";
import { reportReviewDelay } from "../review.ts";
import { withSubAgentRules, requestFinalResult } from "../sub-agent.ts";
import { refusedStep, step, type Transition } from "../step.ts";

export const transition = (state: State, event: Event): Transition =>
  state.kind === "subagent"
    ? withSubAgentRules({ ...state, seq: state.seq + 1 }, event, react)
    : withLaterMessages(state, event, react({ ...state, seq: state.seq + 1 }, event));

/** The phase must be idle, so that no request in flight can bring texts back that it has read (D8). */
const erased = (state: State, { messages }: EventOf<"erased">): Transition => {
  const busy = busyRefusal(state.phase);
  return busy === null || busy === "context_exhausted" || areUnread(state, messages)
    ? step(withoutMessages(state, messages))
    : refusedStep(busy);
};

type EventOf<K extends Event["kind"]> = Extract<Event, { readonly kind: K }>;

const HANDLERS: { readonly [K in Event["kind"]]: (state: State, event: EventOf<K>) => Transition } = {
  woken: onProcessStarted,
  drained: onProcessStopping,
  said: onMessageReceived,
  added: onAdded,
  renewed: onRenewed,
  queued: onQueued,
  unqueued: onUnqueued,
  waitingStarted: onWaitingStarted,
  waitingRefused: onWaitingRefused,
  retried: onRetry,
  answered: onModelAnswered,
  modelFailed: onModelFailed,
  ran: onCallEnded,
  agentReported,
  hurried: requestFinalResult,
  reached: onNetworkAccessed,
  setUp: onSetupEnded,
  putBack: onCheckoutRestored,
  blocked: onCallBlocked,
  proposed: onProposalReady,
  decided: onDecision,
  unseen: reportReviewDelay,
  stopped: onStop,
  erased,
  restricted: onRestricted,
  modeSet: onModeSet,
  modelSet: onModelSet,
  safeModeSet: onSafeModeSet,
  upgradeAsked: onUpgradeRequested,
  askedAgain: onPauseEnded,
  granted: onGranted,
  continued,
  summarized,
  moved,
  branched: onBranchCopied,
  due: onTimeLimit,
};

/** `state.seq` already counts this event, so that ids made from it are new. */
const react = (state: State, event: Event): Transition => handle(state, event.kind, event);

const handle = <K extends Event["kind"]>(state: State, kind: K, event: EventOf<K>): Transition =>
  HANDLERS[kind](state, event);
