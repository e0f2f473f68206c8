/**
 * transition(state, event): the whole behaviour of a conversation. Pure: no clock, randomness or I/O; the same
 * input gives the same output (L1), every state handles every event (L2), a refusal changes nothing.
 *
 * One function per event; each says what every phase makes of it. Laws are numbered in docs/design/ideas.md and proved in
 * test/machine/laws.test.ts.
 */

import { continued, moved, summarized } from "./continuation.ts";
import type { Event } from "./event.ts";
import { decided, reasked } from "./decide.ts";
import { agentReported } from "./on/agents.ts";
import { answered, modelFailed } from "./on/answer.ts";
import { branched } from "./on/branched.ts";
import { granted, modelSet, modeSet, restricted, safeModeSet } from "./on/permission.ts";
import { erased } from "./on/erased.ts";
import { blocked, proposed, putBack, ran, reached, setUp } from "./on/result.ts";
import { askedAgain, retried, said, upgradeAsked } from "./on/said.ts";
import { due, stopped } from "./on/stop.ts";
import { drained, woken } from "./on/woken.ts";
import type { State } from "./state.ts";
import { unseen } from "./review.ts";
import { asSubAgent, hurried } from "./sub-agent.ts";
import type { Transition } from "./step.ts";

export const transition = (state: State, event: Event): Transition =>
  state.kind === "subagent"
    ? asSubAgent({ ...state, seq: state.seq + 1 }, event, react)
    : react({ ...state, seq: state.seq + 1 }, event);

/** `state.seq` already counts this event, so that ids made from it are new. */
const react = (state: State, event: Event): Transition => {
  switch (event.kind) {
    case "woken":
      return woken(state, event);
    case "drained":
      return drained(state, event);
    case "said":
      return said(state, event);
    case "retried":
      return retried(state, event);
    case "answered":
      return answered(state, event);
    case "modelFailed":
      return modelFailed(state, event);
    case "ran":
      return ran(state, event);
    case "agentReported":
      return agentReported(state, event);
    case "hurried":
      return hurried(state, event);
    case "reached":
      return reached(state, event);
    case "setUp":
      return setUp(state, event);
    case "putBack":
      return putBack(state, event);
    case "blocked":
      return blocked(state, event);
    case "proposed":
      return proposed(state, event);
    case "decided":
      return decided(state, event);
    case "unseen":
      return unseen(state, event);
    case "reasked":
      return reasked(state, event);
    case "stopped":
      return stopped(state, event);
    case "erased":
      return erased(state);
    case "restricted":
      return restricted(state, event);
    case "modeSet":
      return modeSet(state, event);
    case "modelSet":
      return modelSet(state, event);
    case "safeModeSet":
      return safeModeSet(state, event);
    case "upgradeAsked":
      return upgradeAsked(state, event);
    case "askedAgain":
      return askedAgain(state, event);
    case "granted":
      return granted(state, event);
    case "continued":
      return continued(state, event);
    case "summarized":
      return summarized(state, event);
    case "moved":
      return moved(state, event);
    case "branched":
      return branched(state, event);
    case "due":
      return due(state, event);
  }
};
