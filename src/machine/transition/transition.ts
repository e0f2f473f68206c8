/**
 * The complete behavior of a conversation as transition(state, event). Pure: no clock, randomness or I/O; the
 * same input gives the same output (L1), every state handles every event (L2), and a refusal changes nothing.
 *
 * Each event has one function, which handles every phase. The laws are numbered in docs/design/ideas.md and
 * proved in test/machine/laws.test.ts.
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
import { unseen } from "../review.ts";
import { asSubAgent, hurried } from "../sub-agent.ts";
import { refused, step, type Transition } from "../step.ts";

export const transition = (state: State, event: Event): Transition =>
  state.kind === "subagent"
    ? asSubAgent({ ...state, seq: state.seq + 1 }, event, react)
    : react({ ...state, seq: state.seq + 1 }, event);

/**
 * Accepts a deletion of messages, whose places stay in the transcript (D8). The phase must be idle, so that
 * no request in flight can bring the texts back. The person who deletes stops the turn first.
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
  hurried,
  reached,
  setUp,
  putBack,
  blocked,
  proposed,
  decided,
  unseen,
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
