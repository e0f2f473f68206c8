/**
 * Words of sub-agents: helpers that a conversation starts for parts of its work (BED-008). Each is a conversation of its
 * own in the same store, driven by the same machine, hidden from lists; its id follows from its parent's.
 */

import type { ConversationId, EffectId, MessageId, Millis, ToolUseId } from "./id.ts";
import type { UntrustedContent, Usage } from "./words.ts";

/** Most tasks of one call. */
export const MAX_AGENTS = 10;
/** How long all sub-agents of one call may take; then each has one more response to hand in what it has. */
export const AGENT_TIME: Millis = 20 * 60_000;
/** How long that last response may take. */
export const AGENT_GRACE: Millis = 60_000;
/** Responses with tool uses of one sub-agent: of one that reads, and of one that may write. */
export const AGENT_TURNS = { restricted: 20, unrestricted: 50 } as const;

/** `gaveUp`: it said itself that it could not do the task. `turns` and `time` are its limits. */
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

/** What a sub-agent came to. */
export interface AgentEnd {
  readonly how: AgentHow;
  readonly usage: Usage;
  /** One sentence of the host where it failed. */
  readonly why?: string;
  /** What it has read of others; absent where nothing. */
  readonly read?: UntrustedContent;
}

/** A sub-agent as its parent knows it, in the order of the tasks. */
export interface Agent {
  readonly id: ConversationId;
  readonly model: string;
  /** Null while it works. */
  readonly end: AgentEnd | null;
}

/** What all sub-agents of a call came to, read back where they can no longer report. */
export interface Gathered {
  /** Words: the aggregate. */
  readonly message: MessageId;
  readonly isError: boolean;
  /** In the order of the tasks. */
  readonly ends: readonly AgentEnd[];
}

/** Where the words of a sub-agent's result are: in a call to submit them, or in the text of a response. */
export interface Handed {
  readonly message: MessageId;
  readonly call: ToolUseId | null;
}

export const hasFinished = (how: AgentHow): boolean => how === "submitted" || how === "answered";

/** Of the `index`th task of the call that `effect` carries out. */
export const agentId = (parent: ConversationId, effect: EffectId, index: number): ConversationId =>
  `${parent}-${effect}-${index + 1}`;

/** Whose checkout and share of the host a conversation uses: its parent's, where it is a sub-agent. */
export const familyOf = (id: ConversationId): ConversationId => {
  const [, parent] = /^(c-.+)-e\d+-\d+$/.exec(id) ?? [];
  return parent === undefined ? id : `c-${parent.slice(2)}`;
};
