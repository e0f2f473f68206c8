/** What the runtime needs of tools and work modes, declared on the caller's floor. No member throws or rejects. */

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
} from "../machine/words.ts";
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
  /** The one of several repositories that Unrestricted writes; absent: the first. */
  readonly writes?: string;
  /** What people have granted; with safe mode on, a command has no network without NETWORK_RISK or DEPS_INSTALL_UPDATE. */
  readonly grants: readonly Category[];
  readonly safeMode: boolean;
  /** Words of others were read that no click showed: no network without one of these grants; absent means no. */
  readonly sealed?: true;
  /** Addresses in the input that somebody else wrote in the conversation; absent means none. */
  readonly links?: readonly string[];
  /** Absent means no. */
  readonly isSubAgent?: boolean;
  /** A change of the work mode that a person has confirmed; without it the tool changes none. */
  readonly confirmed?: ModeApproval;
}

/** What a call would write to the forge, an MCP server or the checkout, looked up by the host and nothing of it done. */
export type ProposedWrite =
  /** Another kind of call. */
  | { readonly kind: "none" }
  /** Nothing can be written: the answer of the call. */
  | { readonly kind: "refused"; readonly outcome: ToolOutcome }
  | {
      readonly kind: "proposal";
      readonly write: Write;
      /** What may be let through for the whole thread; absent where each is asked for. */
      readonly scope?: string;
      readonly proposal: Proposal;
      /** Of everything that would be written, what is not shown included. */
      readonly fingerprint: string;
    }
  /** A draft that people are shown before it becomes real (D42). */
  | {
      readonly kind: "result";
      readonly title: string;
      /** The model's words. */
      readonly summary: string;
      readonly result: DraftResult;
      /** The forge may be written to, and this is its project; null where no pull request can be opened. */
      readonly project: string | null;
      /** The repository, where the conversation has several. */
      readonly folder?: string;
      /** Of tree, base, title and summary. */
      readonly fingerprint: string;
    };

/** A person's word for a write, and for whom it is. */
export interface ApprovedWrite {
  readonly approved: WriteApproval;
  /** Whose message set off the turn; null where nobody's did. */
  readonly asker: Pick<Speaker, "id" | "name"> | null;
  /** The same in every process that tries it, and in no other errand. */
  readonly key: string;
  /** When it was approved first: nothing that is older is of it. */
  readonly since: Millis;
  /** An earlier process, or an earlier try of which nobody knows, may have done it. */
  readonly again: boolean;
  /** The process ended while it was being done: nobody has said since that it is to be done again. */
  readonly interrupted: boolean;
}

export interface WrittenResult {
  readonly outcome: ToolOutcome;
  readonly wrote: WriteOutcome;
  /** Nothing was written, and people are asked again with this: `wrote` says why. */
  readonly anew?: ProposedWrite & { readonly kind: "result" };
}

/** The calls that write to the forge or an MCP server: a person is asked before any of it is. */
export interface Writes {
  propose(run: ToolRun, hooks: ToolHooks): Promise<ProposedWrite>;
  /**
   * Writes what `propose` answered, if it is still that. Done once for a key: what an earlier try may have done is
   * looked for before it is done again.
   */
  write(run: ToolRun, errand: ApprovedWrite, hooks: ToolHooks): Promise<WrittenResult>;
}

export interface ToolHooks {
  /** Aborting ends everything the call started within 100 ms (BED-005). */
  readonly signal: AbortSignal;
  /** Where a command that the call left running asked to go: called once it has ended, long after the call. */
  readonly onReached?: (reached: readonly NetworkDestination[]) => void;
}

export interface ToolOutcome extends ResultContent {
  readonly isError: boolean;
  /** Exit status of a command that ran to its end. */
  readonly exit?: number;
  /** The diff is the draft's: the checkout is as it was. */
  readonly rehearsed?: true;
  readonly background: boolean;
  readonly reached: readonly NetworkDestination[];
}

export interface Tools {
  readonly specs: readonly ToolSpec[];
  /** Of sub-agents (BED-009). */
  readonly agentSpecs: readonly ToolSpec[];
  /**
   * What the core is to make of a call: only a valid request_mode_upgrade asks a person (row 77). `folders`: the several
   * repositories of the conversation, none where it has one alone.
   */
  intent(name: string, input: unknown, folders?: readonly string[]): Intent;
  /**
   * What safe mode would ask for before this call may run, judged by what the call says (Phase 5); none in Restricted.
   * Aborted, it ends as a call does, and what it answers says nothing.
   */
  dangers(run: ToolRun, hooks: Pick<ToolHooks, "signal">): Promise<readonly DangerContent[]>;
  run(run: ToolRun, hooks: ToolHooks): Promise<ToolOutcome>;
  /** The author of a tool's results (L15): `host` if no tool has the name. */
  origin(name: string): ResultOrigin;
  readonly look: FindCallWording;
  /** Absent where nothing can be written. */
  readonly writes?: Writes;
  /** Ends the conversation's background commands (D27). */
  stopBackground(id: ConversationId): Promise<void>;
}

/** A work mode of the catalogue (AGN-013). */
export interface Mode {
  /** `[a-z0-9_]`, unique. */
  readonly key: string;
  readonly name: string;
  /** For the model and for people: when this mode fits. */
  readonly whenToUse: string;
  readonly prompt: string;
  /** That answers in it; absent where any may. */
  readonly model?: string;
}

/** The catalogue (TUL-010); never empty. */
export interface Modes {
  readonly all: readonly Mode[];
  /** Key of the mode that conversations begin in. */
  readonly initial: string;
}

/** The only way in which one does, whoever asks for it: the model's tool, a command, the console, a channel (TUL-007 3.5, TUL-009). */
export interface SessionModes {
  /**
   * Settles after the commit. Reason, organisation and person stand in the trace. Refused with `no_op` where it is that
   * mode already, with `unknown_mode` where the catalogue has none of the name.
   */
  setSessionMode(
    session: ConversationId,
    mode: string,
    reason: string,
    organisation: string,
    person: PersonId,
  ): Promise<ActResult>;
}

/** The server or workspace that a conversation belongs to, where it is known; else its surface. */
export const organisationOf = ({ surface, server }: Pick<Conversation, "surface" | "server">): string =>
  server === undefined ? surface : `${surface}:${server}`;
