/**
 * Types of sub-agents, which a conversation starts for parts of its work (BED-008). Each sub-agent is a separate conversation
 * in the same store, driven by the same machine and hidden from lists. Its id derives from the parent's id.
 */

import type { ConversationId, EffectId, MessageId, Millis, ToolUseId } from "./id.ts";
import type { UntrustedContent, Usage } from "./words.ts";

/** Maximum number of tasks in one call. */
export const MAX_AGENTS = 10;
/** Time limit for all sub-agents of one call. After it, each agent has one more response to submit its work. */
export const AGENT_TIME: Millis = 20 * 60_000;
/** Time limit for that last response. */
export const AGENT_GRACE: Millis = 60_000;
/** Maximum number of responses with tool uses, for a reading and a writing sub-agent. */
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

/** Outcome of a sub-agent. */
export interface AgentEnd {
  readonly how: AgentHow;
  readonly usage: Usage;
  /** Reason in one sentence of the host, if the agent failed. */
  readonly why?: string;
  /** Untrusted content that the agent has read; absent if none. */
  readonly read?: UntrustedContent;
}

/** A sub-agent as its parent records it, in the order of the tasks. */
export interface Agent {
  readonly id: ConversationId;
  readonly model: string;
  /** Null while the agent works. */
  readonly end: AgentEnd | null;
}

/** Outcomes of all sub-agents of a call, read back after they can no longer report. */
export interface Gathered {
  /** Stored text of the aggregate. */
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

/** Returns the id for the `index`th task of the call behind `effect`. */
export const agentId = (parent: ConversationId, effect: EffectId, index: number): ConversationId =>
  `${parent}-${effect}-${index + 1}`;

/** Returns the conversation whose checkout and host share is used: a sub-agent's parent, otherwise `id` itself. */
export const familyOf = (id: ConversationId): ConversationId => {
  const [, parent] = /^(c-.+)-e\d+-\d+$/.exec(id) ?? [];
  return parent === undefined ? id : `c-${parent.slice(2)}`;
};
