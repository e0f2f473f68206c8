/** No member of `Commits` throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { CitationChange } from "../text/citation.ts";
import type { Repo } from "./conversation.ts";

/** Newest commit of a channel's repository, as of the mirror's last update. */
export interface Tip {
  readonly commit: string;
  /** Location of the mirror; opaque. */
  readonly mirror: string;
}

/** A git directory with all commits of the mirror, including those that no branch reaches any more. */
export interface ComparisonRepo {
  /** Runs a shell script in the sandbox, without a network, and returns its output. */
  readonly ask: (script: string, stdin: string) => Promise<string>;
  /** Aborted when the caller gives up; `ask` then throws. */
  readonly signal: AbortSignal;
}

export interface Commits {
  /** `since`: the mirror must be as recent as this time. */
  tip(
    repo: Repo,
    since: Millis,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "tip"; readonly tip: Tip } | { readonly kind: "failed" }>;
  /** `failed` if `work` throws. */
  within<T>(
    tip: Tip,
    signal: AbortSignal,
    work: (repo: ComparisonRepo) => Promise<T>,
  ): Promise<{ readonly kind: "done"; readonly value: T } | { readonly kind: "failed" }>;
}

export interface CitedLines {
  readonly commit: string;
  /** Path from the repository's root. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** Blob of the file in that commit, in case the commit disappears; null if unknown. */
  readonly blob: string | null;
  /** A commit that is known to contain the lines: `commit`, or a later one. */
  readonly stood: string;
  /** Last known change of the lines; null if none is known. */
  readonly now: CitationChange | null;
}

export interface LineComparison {
  /** Returns the change of each citation up to the tip, in the given order. Null: unchanged. `unknown`: undecidable. */
  compare(
    tip: Tip,
    cited: readonly CitedLines[],
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: "done"; readonly value: readonly (CitationChange | null | "unknown")[] }
    | { readonly kind: "failed" }
  >;
}

export const lateCommits = (commits: () => Commits): Commits => ({
  tip: (...asked) => commits().tip(...asked),
  within: (...asked) => commits().within(...asked),
});
