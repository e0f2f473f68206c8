/**
 * Describes sub-agents for people, equal on every surface: the number of finished sub-agents, and one line for each sub-agent.
 * Pure.
 */

import type { Agent } from "../../src/machine/agent.ts";
import type { MessageId } from "../../src/machine/id.ts";
import type { AgentStatus, TurnStep } from "../../src/thread/post.ts";
import type { StoredContent } from "../../src/thread/prompt.ts";
import { clipText } from "../../src/text/clip-text.ts";
import { visibleText } from "../../src/text/invisible.ts";
import { agentTasks, taskLine } from "../../src/thread/visible-text.ts";
import { AGENT_OUTCOMES } from "../../src/thread/wording.ts";
import { english, type Say } from "../../src/i18n/say.ts";

/**
 * Counts finished sub-agents, whatever their outcome, with the total cost: `1 of 3 sub-agents done · $0.05`.
 */
export const agentsHead = (agents: readonly AgentStatus[], say: Say = english): string => {
  const done = agents.filter(({ step }) => step === "ended").length;
  const cost = agents.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0) / 1e6;
  const head = say("{done} of {count} sub-agents done", { done, count: agents.length });
  return cost === 0 ? head : `${head} · $${cost.toFixed(2)}`;
};

export const agentLine = ({ task, step, tool, how }: AgentStatus, say: Say = english): string => {
  switch (step) {
    case "waiting":
    case "thinking":
      return `${task}: ${say(step)}`;
    case "running":
      return `${task}: ${tool === null ? say("running a tool") : say("running {object}", { object: tool })}`;
    case "ended":
      return `${task}: ${say(how === null ? "ended" : AGENT_OUTCOMES[how])}`;
  }
};

export const agentLines = (agents: readonly AgentStatus[], say: Say = english): string =>
  agents.map((agent, index) => `${index + 1}. ${agentLine(agent, say)}`).join("\n");

/** UTF-16 code units of a task in the title of a step. */
const MAX_TASK = 40;

/** Returns the outcome of each sub-agent that a call started: `find the tests: finished`. */
export const agentsEnded = (
  { message, call }: Pick<TurnStep, "message" | "call">,
  agents: readonly Agent[],
  words: ReadonlyMap<MessageId, StoredContent>,
  say: Say,
): readonly string[] => {
  const tasks = agentTasks(words.get(message), call.id);
  return agents.map(({ end }, index) => {
    const said = say(end === null ? "stopped" : AGENT_OUTCOMES[end.how]);
    // Only the task is cut; the host's words are never cut.
    return `${clipText(visibleText(taskLine(tasks[index] ?? "")), MAX_TASK)}: ${said}`;
  });
};
