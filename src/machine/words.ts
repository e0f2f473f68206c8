/** The vocabulary that state, events, effects and transcript share. */

import type { ConversationId, EffectId, MessageId, Millis, PersonId, ToolUseId } from "./id.ts";
import type { StoredSentence } from "../i18n/say.ts";

/** What tools may do. The kernel holds Restricted: read the checkout, nothing else (BED-014). */
export type Permission = "restricted" | "unrestricted";

/** Whether the kernel of this process can hold Restricted (D3). */
export type Confinement = "enforced" | "unavailable";

/** Danger categories of safe mode that a person may grant (Phase 5). */
export const CATEGORIES = [
  "FS_DELETE_OVERWRITE",
  "FS_OUTSIDE_WORKSPACE",
  "FS_CONFIG_SECRETS",
  "DEPS_INSTALL_UPDATE",
  "GIT_PUBLISH",
  "SYSTEM_IMPACT",
  "SUDO",
  "NETWORK_RISK",
  "EXEC_ARBITRARY",
] as const;
export type Category = (typeof CATEGORIES)[number];

/**
 * What the host does itself once a person allows it: writes to the forge or to an MCP server by the tool that proposes
 * them, and what becomes of a draft.
 */
export const WRITES = [
  "open_pull_request",
  "file_issue",
  "comment_on_issue",
  "label_issue",
  "apply_draft",
  "discard_draft",
  "mcp_call",
] as const;
export type Write = (typeof WRITES)[number];

/** Who speaks or clicks, with the rights that the surface read at that moment (D1). */
export interface Speaker {
  readonly id: PersonId;
  /** As people knew the person then, for the trace; decides nothing. */
  readonly name?: string;
  /** May begin turns that write or reach the network. */
  readonly mayDrive: boolean;
  /** May decide questions and loosen safeguards. */
  readonly mayApprove: boolean;
}

/** What a person said: the words by id, the pictures by number. */
export interface Utterance {
  readonly message: MessageId;
  readonly speaker: Speaker;
  readonly images: number;
  /** What of the words is others'; absent where nothing is. */
  readonly quoted?: QuotedContent;
  /** The channel in which somebody looks at the answer before it is posted; absent where nobody does. */
  readonly reviewed?: string;
}

/** What came along with one message, quoted by the host. */
export interface QuotedContent {
  /** Messages of other people and apps, read back from the thread. */
  readonly messages: number;
  /** Unfurled links and quoted messages that the platform shows below a message. */
  readonly previews: number;
  /** Files with text. */
  readonly files: number;
  readonly pictures: number;
  /** Summaries of earlier conversations; absent means none. */
  readonly summaries?: number;
  /** Events that began the conversation by themselves (D45); absent means none. */
  readonly events?: number;
}

/** An answer that was given in another conversation, to a question in the same words. */
export interface RepeatedAnswer {
  readonly conversation: ConversationId;
  readonly message: MessageId;
  /** When it was given. */
  readonly at: Millis;
  /** The address of its post. */
  readonly link?: string;
}

/** An answer to a similar question in another conversation, which people are offered as a link. */
export interface EarlierAnswer {
  readonly conversation: ConversationId;
  /** When it was given. */
  readonly at: Millis;
  /** The address of its thread. */
  readonly link: string;
}

/** What was read that no person of the conversation said to it, besides the checkout, over the conversation's life. */
export interface UntrustedContent extends QuotedContent {
  /** Hosts that calls reached, each once, the first ten. */
  readonly hosts: readonly string[];
  /** How often others were reached after those; absent means never. */
  readonly others?: number;
}

/** One tool use of a response. Its input is words and stays in the message (D8). */
export type Call = { readonly id: ToolUseId; readonly name: string } & Intent;

/** What the shell parsed the input to be: a `tool` runs, the others ask a person. */
export type Intent =
  | { readonly intent: "tool" }
  /**
   * `request`: of somebody who may not drive, whether it may be put before approvers; absent where nobody may ask so (D39).
   * `on`: which of several repositories, by the name of its folder.
   */
  | { readonly intent: "upgrade"; readonly request?: Request; readonly on?: string }
  /** A change of the work mode to a key of the catalogue; `branch` wishes a new thread for it (TUL-007). */
  | { readonly intent: "mode"; readonly mode: string; readonly branch: boolean }
  /** Starts sub-agents, one a task; a model of its own where one is named (BED-008). */
  | { readonly intent: "spawn"; readonly agents: readonly { readonly model?: string }[] }
  /** A sub-agent hands in its result, or says that it has none. */
  | { readonly intent: "submit"; readonly success: boolean };

/** `open`: the person has one open; `often`: the channel had its three of an hour; `off`: the operator wants none. */
export type Request = "allowed" | "open" | "often" | "off";

/** Who asks for write access where it is not the agent in a turn of who may drive: for a stranger, or by command. */
interface AskedBy {
  readonly how: "request" | "command";
  readonly by: PersonId;
}

/** What Unrestricted gives on a host. */
export interface UnrestrictedOffer {
  /** Why its commands are refused and what the operator can do, in sentences; null where they run. */
  readonly refused: string | null;
  /** Commands can be let into the network. */
  readonly network: boolean;
}

/** What a person is asked. */
export type QuestionSpec =
  /** `on`: the one of several repositories that may be written then. */
  | { readonly kind: "upgrade"; readonly from?: AskedBy; readonly on?: string }
  /** Safe mode holds a call (C27). */
  | {
      readonly kind: "danger";
      /** Not granted yet, in the order of Phase 5. */
      readonly categories: readonly Category[];
      /** Words: what, why, risk, changes. */
      readonly shown: MessageId;
      /** SHA-256 of the call's input: what was shown is what runs. */
      readonly fingerprint: string;
    }
  | { readonly kind: "mode"; readonly mode: string; readonly branch: boolean }
  /** The host would write to the forge, or call a tool of an MCP server that writes. */
  | {
      readonly kind: "write";
      readonly write: Write;
      /** What a person may let through for the whole thread, `server/tool`; absent where each is asked for. */
      readonly scope?: string;
      /** Words: what the host itself read of what would be written. */
      readonly shown: MessageId;
      /** Of all that would be written: something else voids the approval. */
      readonly fingerprint: string;
    }
  /** A draft is finished: what becomes of it (D42). */
  | {
      readonly kind: "result";
      /** Words: what the host itself read of the draft. */
      readonly shown: MessageId;
      /** Of all that would come about: the tree, what it stands on, who works on it. */
      readonly fingerprint: string;
      /** It may become a pull request. */
      readonly pull: boolean;
      /** How many it holds, where it holds several: fewer may be applied, the first of them. */
      readonly commits?: number;
    }
  /** The answer of a turn is there, and is posted if a person says so. `place`: the channel in which that is asked. */
  | { readonly kind: "answer"; readonly place: string };

/** Nobody has decided on an answer: for days, or because nobody can be asked. */
export type ReviewDelay = "late" | "unreachable";

/** Answers to the six questions: upgrade and write, danger (D30), mode (D16), result (D42), answer. A write with a scope has those of danger. */
export type Choice = (typeof CHOICES)[QuestionSpec["kind"]][number];
/** The answers that each question offers, as its buttons stand. */
export const CHOICES = {
  upgrade: ["approve", "deny"],
  danger: ["once", "session", "deny"],
  mode: ["stay", "switch", "branch"],
  write: ["approve", "deny"],
  result: ["apply", "pull_request", "changes", "discard"],
  answer: ["send", "edit", "discard"],
} as const satisfies Readonly<Record<QuestionSpec["kind"], readonly string[]>>;

/** A write that may be let through for the thread offers what a danger does. */
export const offeredBy = (ask: QuestionSpec): readonly Choice[] =>
  CHOICES[ask.kind === "write" && ask.scope !== undefined ? "danger" : ask.kind];

/** Each of them once. */
export const ANSWERS: readonly Choice[] = [...new Set(Object.values(CHOICES).flat())];

/** What a person lets a continuation begin with (BED-021). */
export type SeedChoice = "summary" | "empty";

/** What of a working directory went along: the commit alone, all of it, or not what was changed. */
export type CopyOutcome = "same" | "copied" | "left";

/** What a person denied: it is not asked again in the turn. Of writes with a scope the one that was shown, by its fingerprint. */
export type DeniedKey = "upgrade" | "mode" | Category | Write | `shown:${string}`;

/** A person's word for one thing that the host does: who, when, and for exactly what. */
export interface WriteApproval {
  readonly write: Write;
  readonly by: Pick<Speaker, "id" | "name">;
  readonly at: Millis;
  readonly fingerprint: string;
  /** Only the first so many commits of the draft. */
  readonly commits?: number;
}

/** A person's word for every write of one scope in the thread. */
export interface ThreadGrant {
  readonly scope: string;
  readonly by: WriteApproval["by"];
  /** What the card named as read of others: with more than that it is asked for again; absent where nothing was. */
  readonly shown?: UntrustedContent;
}

/** A person's word for a change of the work mode. `branch`: the work begins anew, in a thread of its own. */
export interface ModeApproval {
  readonly by: PersonId;
  readonly branch: boolean;
}

/** A write of which nobody knows whether it came about: its first try. */
export interface UnconfirmedWrite {
  readonly effect: EffectId;
  readonly approved: WriteApproval;
}

/** What became of it. `name` is what it is called on the forge, as in `acme/shop#12`; of a draft its branch, or its tree; of an MCP server the tool. */
export type WriteOutcome =
  | { readonly kind: "done"; readonly name: string; readonly url?: string }
  /** What was shown is not what there is now: nothing was written. */
  | { readonly kind: "void"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string }
  /** Stopped while it was being done, or, with a reason, its answer was lost and nobody could look. */
  | { readonly kind: "unknown"; readonly why?: string };

/**
 * The author of a result's text. `checkout`: commands and files, which the model may have written itself; `forge`: issues and
 * pull requests; `server`: an MCP server; `web`: pages that the host read; `model`: sub-agents.
 */
export type ResultOrigin = "checkout" | "forge" | "server" | "web" | "model" | "host";

/** A destination in the network that a call asked for, recorded in the trace. */
export interface NetworkDestination {
  readonly host: string;
  readonly port: number;
  readonly allowed: boolean;
}

/** Tokens of one response, or summed; money in millionths of a US dollar. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly costMicroUsd: number;
}

/** What became of the repository's own set-up, which runs behind the conversation's back. */
export type Setup =
  | { readonly kind: "began" }
  /** `late`: the conversation's own checkout was made before, and is without what was installed. */
  | { readonly kind: "ready"; readonly seconds: number; readonly late: boolean }
  | ({ readonly kind: "failed" } & SetupFailure);

export interface SetupFailure {
  /** Sentences of the host. */
  readonly why: string;
  /** The last lines that it wrote, masked; absent where it wrote none, or was not run. */
  readonly output?: readonly string[];
  /** The whole of it, below the data directory. */
  readonly log?: string;
}

/** A thread had rested, or another host had it, and its checkout, of which only the changes were kept, stands again. */
export type CheckoutRestored =
  /** With everything that git does not ignore. `moved`: another host had it. */
  | { readonly kind: "whole"; readonly days: number; readonly moved?: true }
  /** Without what was changed: that is damaged, and kept at a place below the data directory. */
  | { readonly kind: "fresh"; readonly days: number; readonly kept: string };

/**
 * Why the host itself stopped a turn: a message that it worked with was deleted, or whoever it was for may not write
 * in the thread any more. `time`: the time of a sub-agent was over.
 */
export type StopCause = "erased" | "barred" | "time";

/** Why a response ended. `tools` is said only where the provider's stop reason was `tool_use`. */
export type StopReason = "end" | "tools" | "max_tokens" | "pause" | "refusal" | "window";

/**
 * Why no answer came. `workspace`: the checkout it needs could not be made. `budget`, `costly` and `limit` are the
 * host's own refusals; `costly` waits for a person to say that the money is to be spent. Only the kinds of RETRYABLE (retry.ts) are tried again by themselves (C9).
 */
export const FAILURES = [
  "auth",
  "rate_limit",
  "overloaded",
  "network",
  "invalid_request",
  "context",
  "billing",
  "not_found",
  "workspace",
  "limit",
  "budget",
  "costly",
  "unknown",
] as const;
export type FailureKind = (typeof FAILURES)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** One sentence for the thread, made by the host; never the provider's raw body. */
  readonly message: string;
  /** The same for whoever reads another language, where it is several sentences or has figures. */
  readonly told?: readonly StoredSentence[];
  /** What the provider asked to wait. */
  readonly retryAfter: Millis | null;
}

/** A model as the host knows it by name, and the tokens that it takes. */
export interface ModelChoice {
  readonly name: string;
  readonly window: number;
}

/** Total size of what the model saw and said: what the next request will at least hold (C16). */
export const contextUsed = (usage: Usage): number =>
  usage.input + usage.output + usage.cacheRead + usage.cacheWrite;

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costMicroUsd: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  costMicroUsd: a.costMicroUsd + b.costMicroUsd,
});
