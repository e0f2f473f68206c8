import type { ConversationId, EffectId, MessageId, Millis, PersonId, ToolUseId } from "./id.ts";
import type { StoredSentence } from "../i18n/say.ts";

/** Permission of tools. In Restricted the kernel lets tools read the checkout and do nothing else (BED-014). */
export type Permission = "restricted" | "unrestricted";

/** Whether the kernel can enforce Restricted for this process (D3). */
export type Confinement = "enforced" | "unavailable";

/** Danger categories of safe mode that an approver can grant (Phase 5). */
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

/** Writes that the host itself performs after a decision: to the forge, to an MCP server, or of a draft's result. */
export const WRITES = [
  "open_pull_request",
  "file_issue",
  "comment_on_issue",
  "label_issue",
  "merge_pull_request",
  "post_review",
  "apply_draft",
  "discard_draft",
  "mcp_call",
  "secret_command",
] as const;
export type Write = (typeof WRITES)[number];

/** Person who writes or clicks, with the rights that the surface read at that moment (D1). */
export interface Speaker {
  readonly id: PersonId;
  /** Display name at that time, for the trace. No decision depends on the name. */
  readonly name?: string;
  /** Whether the person may begin turns that write or reach the network. */
  readonly mayDrive: boolean;
  /** Whether the person may decide questions and loosen safeguards. */
  readonly mayApprove: boolean;
}

export interface Utterance {
  readonly message: MessageId;
  readonly speaker: Speaker;
  readonly images: number;
  readonly quoted?: QuotedContent;
  /** Channel in which a maintainer reviews the answer before it is posted; absent if answers are not reviewed. */
  readonly reviewed?: string;
}

/** Message that a person sent during a turn: added to the turn, or waiting for its end (D51). `at`: time of the click. */
export interface LaterMessage extends Omit<Utterance, "reviewed"> {
  readonly at: Millis;
  /** Set if the text tells how the author edited the message that the turn answers (D52). */
  readonly edited?: true;
}

export interface QuotedContent {
  readonly messages: number;
  /** Unfurled links and quoted messages that the platform shows below a message. */
  readonly previews: number;
  readonly files: number;
  readonly pictures: number;
  readonly summaries?: number;
  /** Watch events that started the conversation (D45); absent if none. */
  readonly events?: number;
  /** Files and pictures of the speaker. The files count as untrusted once another person speaks (D54). */
  readonly own?: number;
  /** Hosts of pages that the message links to; absent if none was read. */
  readonly hosts?: readonly string[];
}

/** Answer from another conversation to a question with the same text. */
export interface RepeatedAnswer {
  readonly conversation: ConversationId;
  readonly message: MessageId;
  readonly at: Millis;
  readonly link?: string;
}

/** Answer to a similar question in another conversation, offered as a link. */
export interface EarlierAnswer {
  readonly conversation: ConversationId;
  readonly at: Millis;
  readonly link: string;
}

/** Untrusted content that the conversation has read over its life, the checkout excluded. */
export interface UntrustedContent extends QuotedContent {
  /** The first ten distinct hosts that calls reached. */
  readonly hosts: readonly string[];
  /** How often further hosts were reached after the first ten; absent if never. */
  readonly others?: number;
}

/** One tool use of a response. The input is stored text and stays in the message (D8). */
export type Call = { readonly id: ToolUseId; readonly name: string } & Intent;

/** Intent that the shell parsed from the input. A `tool` runs; the other intents ask a person or start agents. */
export type Intent =
  | { readonly intent: "tool" }
  /** `request`: absent if requests are impossible here (D39). `on`: folder name of one of several repositories. */
  | { readonly intent: "upgrade"; readonly request?: Request; readonly on?: string }
  /** Change of the work mode to a key of the catalog. `branch`: the model wants a new thread for the change (TUL-007). */
  | { readonly intent: "mode"; readonly mode: string; readonly branch: boolean }
  /** Starts one sub-agent per task, each with its own model if one is named (BED-008). */
  | { readonly intent: "spawn"; readonly agents: readonly { readonly model?: string }[] }
  | { readonly intent: "submit"; readonly success: boolean }
  | ({ readonly intent: "ask" } & AskedChoices);

/** `choices`: number of offered answers. `plan`: the only one is *Go ahead*, and a written answer changes the plan. */
export interface AskedChoices {
  readonly choices: number;
  readonly plan?: true;
}

/** `open`: the requester already has an open request. `often`: the channel reached three requests in an hour. */
export type Request = "allowed" | "open" | "often" | "off";

/** A requester without write permission, or a person by command. */
interface AskedBy {
  readonly how: "request" | "command";
  readonly by: PersonId;
}

export interface UnrestrictedOffer {
  /** Sentences on why commands are refused and what the operator can do; null if commands run. */
  readonly refused: string | null;
  readonly network: boolean;
}

/** Inline comments of a proposed review. People may leave out each of them. */
export interface ReviewOffer {
  readonly comments: number;
  /** Numbers of the comments that people left out, from 1, in ascending order. */
  readonly leftOut: readonly number[];
  /** Whether the forge lets the review request changes. */
  readonly mayRequest: boolean;
}

export type QuestionSpec =
  /** `on`: the repository that becomes writable, if the conversation has several. */
  | { readonly kind: "upgrade"; readonly from?: AskedBy; readonly on?: string }
  /** Safe mode blocks a call (C27). */
  | {
      readonly kind: "danger";
      /** Categories without a grant, in the order of Phase 5. */
      readonly categories: readonly Category[];
      /** Stored text of the card: command, reason, risk, changes. */
      readonly shown: MessageId;
      /** SHA-256 of the call's input, so that only the input on the card runs. */
      readonly fingerprint: string;
    }
  | { readonly kind: "mode"; readonly mode: string; readonly branch: boolean }
  | {
      readonly kind: "write";
      readonly write: Write;
      /** `server/tool` that an approver can allow for the thread; absent if every write needs its own decision. */
      readonly scope?: string;
      readonly shown: MessageId;
      /** Hash over everything that would be written. Any difference voids the approval. */
      readonly fingerprint: string;
      /** Set for a review of a pull request. */
      readonly review?: ReviewOffer;
    }
  /** A draft is finished and waits for a decision on its result (D42). */
  | {
      readonly kind: "result";
      readonly shown: MessageId;
      /** Hash over everything that would be applied: the tree, its base commit, title, summary and commits. */
      readonly fingerprint: string;
      readonly pull: boolean;
      /** Number of commits, if there are several. A person may apply only the first few of them. */
      readonly commits?: number;
    }
  /** `place`: the channel of the review. */
  | { readonly kind: "answer"; readonly place: string }
  /** The model asks people something that it cannot find out. An answer grants nothing (D53). */
  | ({ readonly kind: "person" } & AskedChoices);

/** Why an answer is still not reviewed: for days without a decision, or because no maintainer can be reached. */
export type ReviewDelay = "late" | "unreachable";

export type Choice = (typeof CHOICES)[QuestionSpec["kind"]][number];
/** In the order of the buttons (danger: D30, mode: D16, result: D42). */
export const CHOICES = {
  upgrade: ["approve", "deny"],
  danger: ["once", "session", "deny"],
  mode: ["stay", "switch", "branch"],
  write: ["approve", "request_changes", "leave_out", "deny"],
  result: ["apply", "pull_request", "changes", "discard"],
  answer: ["send", "edit", "discard"],
  person: ["choose", "reply"],
} as const satisfies Readonly<Record<QuestionSpec["kind"], readonly string[]>>;

/** A write that can be allowed for the thread has the choices of danger. Some choices belong to reviews. */
export const offeredBy = (ask: QuestionSpec): readonly Choice[] => {
  if (ask.kind !== "write") return CHOICES[ask.kind];
  if (ask.scope !== undefined) return CHOICES.danger;
  const { comments, leftOut, mayRequest } = ask.review ?? NO_REVIEW;
  return CHOICES.write.filter(
    (choice) =>
      (choice !== "request_changes" || mayRequest) && (choice !== "leave_out" || leftOut.length < comments),
  );
};

const NO_REVIEW: ReviewOffer = { comments: 0, leftOut: [], mayRequest: false };

export const ANSWERS: readonly Choice[] = [...new Set(Object.values(CHOICES).flat())];

export type SeedChoice = "summary" | "empty";

/** State of a continuation's checkout: the same commit, a copy of everything, or without the changes. */
export type CopyOutcome = "same" | "copied" | "left";

/** Denied thing that is not asked about again in the turn. A write with a scope is identified by its fingerprint. */
export type DeniedKey = "upgrade" | "mode" | Category | Write | `shown:${string}`;

export interface WriteApproval {
  readonly write: Write;
  readonly by: Pick<Speaker, "id" | "name">;
  readonly at: Millis;
  readonly fingerprint: string;
  /** Number of the draft's first commits to apply; absent for all. */
  readonly commits?: number;
  /** Choices of people about a review; absent for any other write. */
  readonly review?: ReviewChoice;
}

export interface ReviewChoice extends Pick<ReviewOffer, "leftOut"> {
  readonly requestsChanges: boolean;
}

export interface ThreadGrant {
  readonly scope: string;
  readonly by: WriteApproval["by"];
  /** Untrusted content that the card named. The grant is void once more was read. Absent if nothing was read. */
  readonly shown?: UntrustedContent;
}

/** `branch`: the work restarts in a new thread. */
export interface ModeApproval {
  readonly by: PersonId;
  readonly branch: boolean;
}

/** First attempt of a write whose outcome is unknown. */
export interface UnconfirmedWrite {
  readonly effect: EffectId;
  readonly approved: WriteApproval;
}

/** Outcome of a write. `name`: on the forge as in `acme/shop#12`, of a draft its branch or tree, of an MCP server the tool. */
export type WriteOutcome =
  | { readonly kind: "done"; readonly name: string; readonly url?: string }
  /** Nothing was written, because the state no longer matches the card. */
  | { readonly kind: "void"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string }
  /** The write was stopped while it ran. With `why`: its response was lost and the host could not check. */
  | { readonly kind: "unknown"; readonly why?: string };

/** `approver`: may approve. `member`: has write permission. `stranger`: may only ask questions. */
export type SpeakerOrigin = "approver" | "member" | "stranger" | "event";

/** `checkout`: commands and files, possibly written by the model. `web`: pages that the host read. `model`: sub-agents. */
export type ResultOrigin = "checkout" | "forge" | "server" | "web" | "model" | "host";

export interface NetworkDestination {
  readonly host: string;
  readonly port: number;
  readonly allowed: boolean;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly costMicroUsd: number;
}

export type Setup =
  | { readonly kind: "began" }
  /** `late`: the conversation's checkout was made before the setup ended, so it lacks the installed files. */
  | { readonly kind: "ready"; readonly seconds: number; readonly late: boolean }
  | ({ readonly kind: "failed" } & SetupFailure);

export interface SetupFailure {
  readonly why: string;
  /** Last output lines, masked; absent if the setup wrote nothing or did not run. */
  readonly output?: readonly string[];
  /** Path of the full log, below the data directory. */
  readonly log?: string;
}

/** Result of restoring a checkout that was parked, or moved from another host. Only the changes had been kept. */
export type CheckoutRestored =
  /** Everything that git does not ignore. `moved`: the checkout came from another host. */
  | { readonly kind: "whole"; readonly days: number; readonly moved?: true }
  /** The changes are lost, because their archive is damaged. `kept`: the archive's path below the data directory. */
  | { readonly kind: "fresh"; readonly days: number; readonly kept: string };

/** `erased`: a message of the turn was deleted. `barred`: the requester lost the right to write in the thread. */
export type StopCause = "erased" | "barred" | "time";

/** Why a response ended. `tools` is set only if the provider's stop reason was `tool_use`. */
export type StopReason = "end" | "tools" | "max_tokens" | "pause" | "refusal" | "window";

/** `workspace`: the required checkout could not be made. `budget`, `costly` and `limit`: the host's own refusals. */
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
  /** One sentence for the thread, written by the host; never the provider's raw response body. */
  readonly message: string;
  /** The message in translatable form, if it has several sentences or contains figures. */
  readonly told?: readonly StoredSentence[];
  readonly retryAfter: Millis | null;
}

export interface ModelChoice {
  readonly name: string;
  readonly window: number;
}

/** Total size of one exchange, a lower bound for the next request (C16). */
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
