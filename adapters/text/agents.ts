/** Sub-agents as people see them, the same on every surface: how many are done, and one line each. Pure. */

import { hasFinished } from "../../src/machine/agent.ts";
import type { MessageId } from "../../src/machine/id.ts";
import type { AgentStatus, PostBody } from "../../src/thread/post.ts";
import type { Words } from "../../src/thread/prompt.ts";
import { agentTasks, briefTask } from "../../src/thread/spoken.ts";
import { AGENT_OUTCOMES } from "../../src/thread/wording.ts";

interface AgentsEnded {
  /** `2 of 3 sub-agents finished`. */
  readonly head: string;
  readonly lines: readonly string[];
  /** Millionths of a dollar. */
  readonly costMicroUsd: number;
}

/** While they work; those that have ended count as done, however they did. */
export const agentsHead = (agents: readonly AgentStatus[]): string =>
  `${agents.filter(({ step }) => step === "ended").length} of ${agents.length} sub-agents done`;

/** The same with what they have cost so far, for surfaces where money is shown: `… done · $0.05`. */
export const agentsHeadAndCost = (agents: readonly AgentStatus[]): string => {
  const cost = agents.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0) / 1e6;
  return cost === 0 ? agentsHead(agents) : `${agentsHead(agents)} · $${cost.toFixed(2)}`;
};

/** `find the tests: running bash`. */
export const agentLine = ({ task, step, tool, how }: AgentStatus): string => {
  switch (step) {
    case "waiting":
    case "thinking":
      return `${task}: ${step}`;
    case "running":
      return `${task}: running ${tool ?? "a tool"}`;
    case "ended":
      return `${task}: ${how === null ? "ended" : AGENT_OUTCOMES[how]}`;
  }
};

export const agentLines = (agents: readonly AgentStatus[]): string =>
  agents.map((agent, index) => `${index + 1}. ${agentLine(agent)}`).join("\n");

/** What a call that started some came to; null where it started none, or is not over. */
export const agentsEnded = (
  { message, call, agents, outcome }: PostBody & { readonly kind: "activity" },
  words: ReadonlyMap<MessageId, Words>,
): AgentsEnded | null => {
  if (agents === undefined || outcome === null) return null;
  const tasks = agentTasks(words.get(message), call.id);
  const ends = agents.map(({ end }) => end);
  const finished = ends.filter((end) => end !== null && hasFinished(end.how)).length;
  return {
    head: `${finished} of ${agents.length} sub-agents finished`,
    lines: ends.map((end, index) => {
      const said = end === null ? "stopped" : AGENT_OUTCOMES[end.how];
      return `${index + 1}. ${briefTask(tasks[index] ?? "")}: ${said}`;
    }),
    costMicroUsd: ends.reduce((sum, end) => sum + (end?.usage.costMicroUsd ?? 0), 0),
  };
};
