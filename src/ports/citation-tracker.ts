/** Whether lines that were cited still stand in a repository, declared on the caller's floor. No member throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { Since } from "../text/citation.ts";
import type { Repo } from "./conversation.ts";

/** The newest commit of what a channel works on, as far as the mirror was brought up to date. */
export interface Tip {
  readonly commit: string;
  /** Where the mirror is: opaque. */
  readonly mirror: string;
}

export interface CitedLines {
  /** Where they were found. */
  readonly commit: string;
  /** From the repository's root. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** Git's name of the file there, for a commit that is gone meanwhile; null where it is not known. */
  readonly blob: string | null;
  /** A commit at which they are known to stand yet: `commit`, or a later one. */
  readonly stood: string;
  /** What was known of them. */
  readonly now: Since | null;
}

export interface Lines {
  /** `since`: the mirror is as the remote was then, or later. */
  tip(
    repo: Repo,
    since: Millis,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "tip"; readonly tip: Tip } | { readonly kind: "failed" }>;
  /** What became of them up to the tip, in the order given; null: they stand as they stood. `unknown`: that cannot be told. */
  compare(
    tip: Tip,
    cited: readonly CitedLines[],
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: "compared"; readonly found: readonly (Since | null | "unknown")[] }
    | { readonly kind: "failed" }
  >;
}

/** Lines of workspaces that are opened later. */
export const lateLines = (lines: () => Lines): Lines => ({
  tip: (...asked) => lines().tip(...asked),
  compare: (...asked) => lines().compare(...asked),
});
