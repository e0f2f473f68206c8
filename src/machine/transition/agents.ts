/** Sub-agents end (BED-008): every end is counted once, and the call gets its result after the last. */

import { type Agent, AGENT_GRACE, type AgentEnd, type Gathered } from "../agent.ts";
import type { Event } from "../event.ts";
import type { Millis } from "../id.ts";
import { withRead } from "../provenance.ts";
import { closeRound, CUT, runNextCall, ranResult } from "../round.ts";
import type { AwaitingAgents, State } from "../state.ts";
import { nextEffectId, refusedStep, addTurnUsage, step } from "../step.ts";
import type { Entry } from "../transcript.ts";
import type { Step, Transition } from "../step.ts";
import { addUsage, noUsage } from "../vocabulary.ts";

export const agentReported = (state: State, event: Event & { kind: "agentReported" }): Transition => {
  const { phase } = state;
  if (phase.kind !== "awaitingAgents" && phase.kind !== "stopping") return refusedStep("stale");
  const { agents = [] } = phase;
  const known = agents[event.agent];
  if (phase.effect !== event.by || known === undefined || known.end !== null) return refusedStep("stale");
  const told = agents.map((agent, index) => (index === event.agent ? { ...agent, end: event.end } : agent));
  const { usage, read } = event.end;
  return step({ ...withRead(addTurnUsage(state, usage), read), phase: { ...phase, agents: told } });
};

export const collectAgentResults = (
  state: State,
  phase: AwaitingAgents,
  event: Event & { kind: "ran" },
): Transition => {
  if (phase.effect !== event.by || phase.agents.some(({ end }) => end === null)) return refusedStep("stale");
  const { message, origin, isError } = event;
  const outcome = { kind: "ran", message, isError, agents: phase.agents } as const;
  return runNextCall(state, phase, event.at, [ranResult(state, event.at, phase.call, outcome, origin)]);
};

export const agentsDue = (state: State, phase: AwaitingAgents): Step => {
  const target = phase.effect;
  if (phase.hurried)
    return step({ ...state, phase: { ...phase, wait: null } }, [], [{ kind: "endAgents", target }]);
  const wait = { for: nextEffectId(state), delay: AGENT_GRACE };
  return step({ ...state, phase: { ...phase, wait, hurried: true } }, [], [{ kind: "hurryAgents", target }]);
};

/** Closes the call after the agents' process ended: outcomes that were read back are kept, the rest is lost (D14). */
export const agentsLost = (
  state: State,
  phase: AwaitingAgents,
  at: Millis,
  read: Gathered | undefined,
): { readonly state: State; readonly results: readonly Entry[] } => {
  const agents = phase.agents.map(
    (agent, index): Agent => ({ ...agent, end: agent.end ?? read?.ends[index] ?? LOST }),
  );
  const late = agents.filter((_, index) => phase.agents[index]?.end === null);
  const usage = late.reduce((sum, { end }) => addUsage(sum, end?.usage ?? noUsage), noUsage);
  const outcome =
    read === undefined ? CUT : ({ kind: "ran", message: read.message, isError: read.isError } as const);
  const known = late.reduce((sum, { end }) => withRead(sum, end?.read), addTurnUsage(state, usage));
  return { state: known, results: closeRound(state, at, { ...phase, agents }, outcome) };
};

const LOST: AgentEnd = { how: "interrupted", usage: noUsage };
