/**
 * Writing to a forge, always to one repository and only what a person approved. No member throws or rejects. Each
 * looks for what an earlier try has done before it does it, so that a process that ends in between repeats nothing.
 */

import type { Millis } from "../../../machine/id.ts";
import type { Repo } from "../../../ports/conversation.ts";
import type { MergedPull } from "../../../ports/draft-pulls.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import type { Forges, ProjectLookup, Project } from "./project.ts";

export interface WritableForges extends Forges {
  at(repo: Repo): ProjectLookup<WritableProject>;
}

export interface WritableProject extends Project {
  /** Where a person's word is carried out; null where this host has no credential to write with. */
  readonly desk: ForgeWriter | null;
}

interface PullDesk {
  /** Commits of the branches, by name. */
  branches(signal: AbortSignal): Promise<ForgeResult<ReadonlyMap<string, string>>>;
  push(push: PushedBranch, signal: AbortSignal): Promise<ForgeResult<null>>;
  /** The open pull request from a branch of the repository; null where there is none. */
  pullOf(branch: string, signal: AbortSignal): Promise<ForgeResult<MergedPull | null>>;
  openPull(draft: PullDraft, mark: WriteMarker, signal: AbortSignal): Promise<ForgeResult<MergedPull>>;
}

export interface ForgeWriter extends PullDesk {
  /** Trouble where nothing can be written at all: renamed, archived, no right to. */
  repository(signal: AbortSignal): Promise<ForgeResult<RepositoryInfo>>;
  /** Those of `names` that the repository has no label for. */
  unknownLabels(names: readonly string[], signal: AbortSignal): Promise<ForgeResult<readonly string[]>>;
  fileIssue(draft: IssueDraft, mark: WriteMarker, signal: AbortSignal): Promise<ForgeResult<MergedPull>>;
  comment(
    target: WriteTarget,
    text: string,
    mark: WriteMarker,
    signal: AbortSignal,
  ): Promise<ForgeResult<MergedPull>>;
  label(target: WriteTarget, change: LabelChange, signal: AbortSignal): Promise<ForgeResult<MergedPull>>;
}

export interface RepositoryInfo {
  readonly defaultBranch: string;
  readonly hasIssues: boolean;
}

/** Stands in what is written, so that it is found again. `since`: nothing that is older can have it. */
export interface WriteMarker {
  readonly key: string;
  readonly since: Millis;
  /** An earlier process may have written it. */
  readonly again: boolean;
}

/** An issue or a pull request. `isPull` counts where a forge numbers them apart; elsewhere a number is enough. */
export interface WriteTarget {
  readonly number: number;
  readonly isPull: boolean;
}

export interface IssueDraft {
  readonly title: string;
  readonly text: string;
  readonly labels: readonly string[];
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
  /** Null where the branch is new. */
  readonly from: string | null;
  readonly to: string;
  readonly pack: Uint8Array;
}
