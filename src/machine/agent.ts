/** Sub-agents (BED-008): separate conversations in the same store, driven by the same machine and hidden from lists. */

import type { ConversationId, EffectId, MessageId, Millis, ToolUseId } from "./id.ts";
import type { UntrustedContent, Usage } from "./vocabulary.ts";

/** Maximum number of tasks in one call. */
export const MAX_AGENTS = 10;
/** Time limit for all sub-agents of one call. Each agent then has AGENT_GRACE for one more response with its results. */
export const AGENT_TIME: Millis = 20 * 60_000;
export const AGENT_GRACE: Millis = 60_000;
/** Maximum number of responses with tool uses. */
export const AGENT_TURNS = { restricted: 20, unrestricted: 50 } as const;

/** `gaveUp`: the sub-agent reported that it could not do the task. `turns` and `time`: it reached a limit. */
export const AGENT_ENDS = [
  "submitted",
  "answered",
  "gaveUp",
  "failed",
  "turns",
  "time",
  "context",
  "stopped",
  "interrupted",
] as const;
export type AgentHow = (typeof AGENT_ENDS)[number];

export interface AgentEnd {
  readonly how: AgentHow;
  readonly usage: Usage;
  /** Sentence of the host; absent if the agent did not fail. */
  readonly why?: string;
  readonly read?: UntrustedContent;
}

export interface Agent {
  readonly id: ConversationId;
  readonly model: string;
  /** Null while the agent works. */
  readonly end: AgentEnd | null;
}

/** Outcomes of all sub-agents of a call, read back after the agents can no longer report. */
export interface Gathered {
  readonly message: MessageId;
  readonly isError: boolean;
  /** In the order of the tasks. */
  readonly ends: readonly AgentEnd[];
}

/** Location of a sub-agent's result: a submitting call, or the text of a response. */
export interface Handed {
  readonly message: MessageId;
  readonly call: ToolUseId | null;
}

export const hasFinished = (how: AgentHow): boolean => how === "submitted" || how === "answered";

export const agentId = (parent: ConversationId, effect: EffectId, index: number): ConversationId =>
  `${parent}-${effect}-${index + 1}`;

/** Returns the owner of the checkout and the host share: a sub-agent's parent, otherwise `id` itself. */
export const familyOf = (id: ConversationId): ConversationId => {
  const [, parent] = /^(c-.+)-e\d+-\d+$/.exec(id) ?? [];
  return parent === undefined ? id : `c-${parent.slice(2)}`;
};
