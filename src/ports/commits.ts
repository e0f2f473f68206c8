/** Commits of a repository's mirror, and questions about them that git answers. No member of `Commits` throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { Repo } from "./conversation.ts";

/** The newest commit of what a channel works on, as far as the mirror was brought up to date. */
export interface Tip {
  readonly commit: string;
  /** Where the mirror is: opaque. */
  readonly mirror: string;
}

/** A git directory that has all commits of the mirror, including those that no branch reaches any more. */
export interface ComparisonRepo {
  /** Runs a shell script in the sandbox, without a network, and returns its output. */
  readonly ask: (script: string, stdin: string) => Promise<string>;
  /** Aborted once the caller has given up: `ask` throws then. */
  readonly signal: AbortSignal;
}

export interface Commits {
  /** `since`: the mirror is as the remote was then, or later. */
  tip(
    repo: Repo,
    since: Millis,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "tip"; readonly tip: Tip } | { readonly kind: "failed" }>;
  /** Does `work`; `failed` if it throws. */
  within<T>(
    tip: Tip,
    signal: AbortSignal,
    work: (repo: ComparisonRepo) => Promise<T>,
  ): Promise<{ readonly kind: "done"; readonly value: T } | { readonly kind: "failed" }>;
}

/** Commits of workspaces that are opened later. */
export const lateCommits = (commits: () => Commits): Commits => ({
  tip: (...asked) => commits().tip(...asked),
  within: (...asked) => commits().within(...asked),
});
