/**
 * transition(state, event): the whole behaviour of a conversation. Pure: no clock, randomness or I/O; the same
 * input gives the same output (L1), every state handles every event (L2), a refusal changes nothing.
 *
 * One function per event; each says what every phase makes of it. Laws are numbered in docs/design/ideas.md and proved in
 * test/machine/laws.test.ts.
 */

import { continued, moved, summarized } from "../continuation.ts";
import type { Event } from "../event.ts";
import { decided } from "./decide.ts";
import { agentReported } from "./agents.ts";
import { answered, modelFailed } from "./answer.ts";
import { branched } from "./branched.ts";
import { granted, modelSet, modeSet, restricted, safeModeSet } from "./permission.ts";
import { blocked, proposed, putBack, ran, reached, setUp } from "./result.ts";
import { askedAgain, retried, said, upgradeAsked } from "./said.ts";
import { due, stopped } from "./stop.ts";
import { drained, woken } from "./woken.ts";
import { busyRefusal } from "../refusal.ts";
import type { State } from "../state.ts";
import { reportReviewDelay } from "../review.ts";
import { asSubAgent, requestFinalResult } from "../sub-agent.ts";
import { refused, step, type Transition } from "../step.ts";

export const transition = (state: State, event: Event): Transition =>
  state.kind === "subagent"
    ? asSubAgent({ ...state, seq: state.seq + 1 }, event, react)
    : react({ ...state, seq: state.seq + 1 }, event);

/**
 * Words were taken back (D8): the transcript keeps their places. It is taken only while nothing runs, so that no
 * request in flight can bring them back; who erases stops the turn first.
 */
const erased = (state: State): Transition => {
  const busy = busyRefusal(state.phase);
  return busy === null || busy === "context_exhausted" ? step(state) : refused(busy);
};

type EventOf<K extends Event["kind"]> = Extract<Event, { readonly kind: K }>;

const HANDLERS: { readonly [K in Event["kind"]]: (state: State, event: EventOf<K>) => Transition } = {
  woken,
  drained,
  said,
  retried,
  answered,
  modelFailed,
  ran,
  agentReported,
  hurried: requestFinalResult,
  reached,
  setUp,
  putBack,
  blocked,
  proposed,
  decided,
  unseen: reportReviewDelay,
  stopped,
  erased,
  restricted,
  modeSet,
  modelSet,
  safeModeSet,
  upgradeAsked,
  askedAgain,
  granted,
  continued,
  summarized,
  moved,
  branched,
  due,
};

/** `state.seq` already counts this event, so that ids made from it are new. */
const react = (state: State, event: Event): Transition => handle(state, event.kind, event);

const handle = <K extends Event["kind"]>(state: State, kind: K, event: EventOf<K>): Transition =>
  HANDLERS[kind](state, event);
