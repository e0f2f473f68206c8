/** What the runtime needs of tools and work modes, declared on the caller's floor. No member throws or rejects. */

import type { ConversationId } from "../core/id.ts";
import type { DangerWords, ResultWords } from "../core/prompt.ts";
import type { Category, Intent, Permission, Reached } from "../core/words.ts";
import type { Base, Conversation, ToolSpec } from "./ports.ts";

export interface ToolRun {
  readonly conversation: Conversation;
  readonly base: Base;
  readonly name: string;
  readonly input: unknown;
  readonly permission: Permission;
  /** What people have granted; with safe mode on, a command has no network without NETWORK_RISK or DEPS_INSTALL_UPDATE. */
  readonly grants: readonly Category[];
  readonly safeMode: boolean;
}

export interface ToolHooks {
  /** Aborting ends everything the call started within 100 ms (BED-005). */
  readonly signal: AbortSignal;
}

export interface ToolOutcome extends ResultWords {
  readonly isError: boolean;
  readonly background: boolean;
  readonly reached: readonly Reached[];
}

export interface Tools {
  readonly specs: readonly ToolSpec[];
  /** What the core is to make of a call: only a valid request_mode_upgrade asks a person (row 77). */
  intent(name: string, input: unknown): Intent;
  /** What safe mode would ask for before this call may run, judged by what the call says (Phase 5); none in Restricted. */
  dangers(run: ToolRun): Promise<readonly DangerWords[]>;
  run(run: ToolRun, hooks: ToolHooks): Promise<ToolOutcome>;
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
}

/** The catalogue (TUL-010); never empty. */
export interface Modes {
  readonly all: readonly Mode[];
  /** Key of the mode that conversations begin in. */
  readonly initial: string;
}
