/**
 * Writing to a forge, always to one repository and only after a person's approval. No method throws or
 * rejects. Each method first searches for the result of an earlier try, so that a process that ends in
 * between repeats nothing.
 */

import type { Millis } from "../../../machine/id.ts";
import type { Repo } from "../../../ports/conversation.ts";
import type { MergedPull } from "../../../ports/draft-pulls.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import type { MergeOrder, MergeStanding } from "./merging.ts";
import type { Forges, ProjectLookup, Project } from "./project.ts";

export interface WritableForges extends Forges {
  at(repo: Repo): ProjectLookup<WritableProject>;
}

export interface WritableProject extends Project {
  /** Null if this host has no credential to write with. */
  readonly desk: ForgeWriter | null;
  /** Absent if people cannot connect to the forge. */
  readonly people?: PersonalDesks;
}

/** Writing as a person who has connected their account. */
export interface PersonalDesks {
  /** Host of the forge, which people connect to. */
  readonly forge: string;
  /** `account` appears in sentences about refusals. */
  deskOf(token: string, account: string): ForgeWriter;
}

interface PullDesk {
  /** Commits of the branches, by name. */
  branches(signal: AbortSignal): Promise<ForgeResult<ReadonlyMap<string, string>>>;
  push(push: PushedBranch, signal: AbortSignal): Promise<ForgeResult<null>>;
  /** The open pull request from a branch of the repository; null if there is none. */
  pullOf(branch: string, signal: AbortSignal): Promise<ForgeResult<MergedPull | null>>;
  openPull(draft: PullDraft, mark: WriteMarker, signal: AbortSignal): Promise<ForgeResult<MergedPull>>;
}

export interface MergeDesk {
  mergeStanding(number: number, signal: AbortSignal): Promise<ForgeResult<MergeStanding>>;
  /** The newest pull request from a branch of the repository, in any state. */
  lastPullOf(branch: string, signal: AbortSignal): Promise<ForgeResult<MergedPull | null>>;
  /** Ends the draft state; harmless for a pull request that is no draft. */
  markReady(number: number, signal: AbortSignal): Promise<ForgeResult<null>>;
  /** The pull request if it was merged with this head; null otherwise. */
  mergedWith(
    number: number,
    headCommit: string,
    signal: AbortSignal,
  ): Promise<ForgeResult<MergedPull | null>>;
  /** Merges only while the head is `headCommit`. */
  mergePull(order: MergeOrder, mark: WriteMarker, signal: AbortSignal): Promise<ForgeResult<MergedPull>>;
}

export interface ForgeWriter extends PullDesk, MergeDesk {
  /** Fails if no write is possible: the repository was renamed or archived, or the right is missing. */
  repository(signal: AbortSignal): Promise<ForgeResult<RepositoryInfo>>;
  /** The given names that do not exist as labels in the repository. */
  unknownLabels(names: readonly string[], signal: AbortSignal): Promise<ForgeResult<readonly string[]>>;
  fileIssue(draft: IssueDraft, mark: WriteMarker, signal: AbortSignal): Promise<ForgeResult<MergedPull>>;
  comment(
    target: WriteTarget,
    text: string,
    mark: WriteMarker,
    signal: AbortSignal,
  ): Promise<ForgeResult<MergedPull>>;
  /** Whether a review can request changes on this forge. */
  readonly mayRequestChanges: boolean;
  /** The posted review with the mark; null if there is none. */
  reviewWith(pull: number, mark: WriteMarker, signal: AbortSignal): Promise<ForgeResult<MergedPull | null>>;
  postReview(review: ReviewDraft, mark: WriteMarker, signal: AbortSignal): Promise<ForgeResult<MergedPull>>;
  label(target: WriteTarget, change: LabelChange, signal: AbortSignal): Promise<ForgeResult<MergedPull>>;
  /** Answers in a thread of remarks on a pull request. */
  reply(
    remark: RemarkThread,
    text: string,
    mark: WriteMarker,
    signal: AbortSignal,
  ): Promise<ForgeResult<MergedPull>>;
}

export interface RemarkThread {
  readonly number: number;
  readonly thread: string;
}

export interface RepositoryInfo {
  readonly defaultBranch: string;
  readonly hasIssues: boolean;
  /** Whether the account of the credential may push. */
  readonly mayPush: boolean;
}

/** Marks a written text, so that a search can find the text. `since`: older texts cannot contain the mark. */
export interface WriteMarker {
  readonly key: string;
  readonly since: Millis;
  /** Whether an earlier process may have written the text. */
  readonly again: boolean;
}

/** An issue or a pull request. `isPull` matters only if the forge numbers both separately. */
export interface WriteTarget {
  readonly number: number;
  readonly isPull: boolean;
}

export interface IssueDraft {
  readonly title: string;
  readonly text: string;
  readonly labels: readonly string[];
}

/** A review that comments, or requests changes. It never approves. */
export interface ReviewDraft {
  readonly pull: number;
  /** Commit whose diff has the comments' lines. */
  readonly commit: string;
  readonly text: string;
  readonly comments: readonly ReviewComment[];
  readonly requestsChanges: boolean;
}

/** A comment on lines of the diff. */
export interface ReviewComment {
  readonly path: string;
  /** Path before the change. */
  readonly oldPath: string;
  readonly side: "new" | "old";
  readonly first: LineNumbers;
  readonly last: LineNumbers;
  /** Text of the last line. */
  readonly code: string;
  readonly text: string;
}

/** Numbers of a line before and after the change; null on the side without the line. */
export interface LineNumbers {
  readonly old: number | null;
  readonly new: number | null;
  /** Next numbers of both sides at this line. */
  readonly next: { readonly old: number; readonly new: number };
}

export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface PullDraft {
  readonly title: string;
  readonly text: string;
  readonly base: string;
  readonly branch: string;
}

export interface PushedBranch {
  readonly branch: string;
  /** Null if the branch is new. */
  readonly from: string | null;
  readonly to: string;
  readonly pack: Uint8Array;
}
