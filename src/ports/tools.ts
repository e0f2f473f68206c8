/** No member throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type {
  WriteApproval,
  Category,
  ModeApproval,
  Intent,
  Permission,
  NetworkDestination,
  ResultOrigin,
  Speaker,
  Write,
  WriteOutcome,
} from "../machine/vocabulary.ts";
import type { DraftResult } from "../thread/draft.ts";
import type { FindCallWording } from "../thread/call-text.ts";
import type { DangerContent, Proposal, ResultContent } from "../thread/prompt.ts";
import type { ActResult } from "./bot.ts";
import type { Base, Conversation, ToolSpec } from "./conversation.ts";

export interface ToolRun {
  readonly conversation: Conversation;
  readonly base: Base;
  readonly name: string;
  readonly input: unknown;
  readonly permission: Permission;
  /** Repository that Unrestricted may write, if there are several; the first if absent. */
  readonly writes?: string;
  /** Granted categories. With safe mode on, a command has no network without NETWORK_RISK or DEPS_INSTALL_UPDATE. */
  readonly grants: readonly Category[];
  readonly safeMode: boolean;
  /** Set if no card names the untrusted content yet: no network without NETWORK_RISK or DEPS_INSTALL_UPDATE. */
  readonly sealed?: true;
  /** Addresses in the input that another author wrote in the conversation; absent if none. */
  readonly links?: readonly string[];
  readonly isSubAgent?: boolean;
  /** Person whose message began the turn; absent if nobody asked. */
  readonly asker?: PersonId;
  /** Change of the work mode that a person has confirmed. The tool changes no mode without this. */
  readonly confirmed?: ModeApproval;
}

/** Write that a call would make to the forge, an MCP server or the checkout, as read by the host. Nothing is written yet. */
export type ProposedWrite =
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly outcome: ToolOutcome }
  | {
      readonly kind: "proposal";
      readonly write: Write;
      /** Scope that an approver can allow for the thread; absent if every write needs its own decision. */
      readonly scope?: string;
      readonly proposal: Proposal;
      /** Hash over everything that would be written, including parts that the card does not show. */
      readonly fingerprint: string;
    }
  /** A draft for the card, before it is applied (D42). */
  | {
      readonly kind: "result";
      readonly title: string;
      readonly summary: string;
      readonly result: DraftResult;
      /** Project on the forge, if the host may write there; null if no pull request can be opened. */
      readonly project: string | null;
      readonly folder?: string;
      /** The line about the name in which a pull request will appear; absent if there is only one. */
      readonly named?: { readonly name: string; readonly value: string };
      readonly fingerprint: string;
    };

export interface ApprovedWrite {
  readonly approved: WriteApproval;
  readonly asker: Pick<Speaker, "id" | "name"> | null;
  /** Equal in every process that attempts the write, and unique to it. */
  readonly key: string;
  /** Time of the first approval. Older results do not belong to the write. */
  readonly since: Millis;
  /** Whether an earlier process, or an earlier attempt with an unknown outcome, may have done the write. */
  readonly again: boolean;
  /** Whether the process ended during the write and no person has approved a repetition since. */
  readonly interrupted: boolean;
}

export interface WrittenResult {
  readonly outcome: ToolOutcome;
  readonly wrote: WriteOutcome;
  /** Set if nothing was written and people are asked again with this result; `wrote` says why. */
  readonly anew?: ProposedWrite & { readonly kind: "result" };
}

/** Calls that write to the forge or an MCP server. A person decides before anything is written. */
export interface Writes {
  propose(run: ToolRun, hooks: ToolHooks): Promise<ProposedWrite>;
  /** Performs the proposed write if unchanged. Each key is written once: an earlier attempt's result is searched first. */
  write(run: ToolRun, errand: ApprovedWrite, hooks: ToolHooks): Promise<WrittenResult>;
}

export interface ToolHooks {
  /** Aborting ends everything that the call started within 100 ms (BED-005). */
  readonly signal: AbortSignal;
  /** Network access of a command that the call left running. Called when the command has ended, long after the call. */
  readonly onReached?: (reached: readonly NetworkDestination[]) => void;
}

export interface ToolOutcome extends ResultContent {
  readonly isError: boolean;
  readonly exit?: number;
  /** Set if the diff belongs to a draft and the checkout is unchanged. */
  readonly rehearsed?: true;
  readonly background: boolean;
  readonly reached: readonly NetworkDestination[];
}

export interface Tools {
  readonly specs: readonly ToolSpec[];
  /** Tools of sub-agents (BED-009). */
  readonly agentSpecs: readonly ToolSpec[];
  /** Only a valid request_mode_upgrade asks a person (row 77). `folders`: the repositories, if the conversation has several. */
  intent(name: string, input: unknown, folders?: readonly string[]): Intent;
  /** Returns dangers that safe mode would ask about (Phase 5); none in Restricted. Invalid after an abort. */
  dangers(run: ToolRun, hooks: Pick<ToolHooks, "signal">): Promise<readonly DangerContent[]>;
  run(run: ToolRun, hooks: ToolHooks): Promise<ToolOutcome>;
  /** Returns the author of a tool's results (L15): `host` if no tool has the name. */
  origin(name: string): ResultOrigin;
  readonly look: FindCallWording;
  readonly writes?: Writes;
  /** Ends the conversation's background commands (D27). */
  stopBackground(id: ConversationId): Promise<void>;
}

/** A work mode of the catalog (AGN-013). */
export interface Mode {
  /** `[a-z0-9_]`, unique. */
  readonly key: string;
  readonly name: string;
  readonly whenToUse: string;
  readonly prompt: string;
  /** Model of the mode; absent if the mode accepts any. */
  readonly model?: string;
}

/** The catalog (TUL-010); never empty. */
export interface Modes {
  readonly all: readonly Mode[];
  readonly initial: string;
}

/** The only way to change a mode: for the model's tool, a command, the console and a channel (TUL-007 3.5, TUL-009). */
export interface SessionModes {
  /** Settles after the commit. Refused with `no_op` if the mode is already set, with `unknown_mode` if the catalog lacks it. */
  setSessionMode(
    session: ConversationId,
    mode: string,
    reason: string,
    organisation: string,
    person: PersonId,
  ): Promise<ActResult>;
}

/** Returns the server or workspace of a conversation if it is known, otherwise its surface. */
export const organisationOf = ({ surface, server }: Pick<Conversation, "surface" | "server">): string =>
  server === undefined ? surface : `${surface}:${server}`;
