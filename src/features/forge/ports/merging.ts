/** The state of a pull request before a merge. Texts of a forge are untrusted content. */

/** `rebase`: the commits land on the base branch without a merge commit. */
export const MERGE_METHODS = ["merge", "squash", "rebase"] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

/** Everything about a merge that the forge decides, read at one moment. */
export interface MergeStanding {
  readonly headCommit: string;
  readonly isDraft: boolean;
  /** Oldest first. */
  readonly commits: readonly MergeCommit[];
  /** Number of commits that were not read; null if there are some and the forge does not count them. */
  readonly commitsLeft: number | null;
  /** Methods that the repository allows, the usual one first. */
  readonly methods: readonly MergeMethod[];
  /** Newest verdict of each reviewer whose verdict counts. */
  readonly reviews: readonly MergeReview[];
  /** Number of required approvals; null if the credential may not read the number. */
  readonly requiredReviews: number | null;
  /** Names of required checks, as far as the credential may read them. */
  readonly requiredChecks: readonly string[];
  /** Sentence on why the forge refuses the merge and what people can do; null if it does not. */
  readonly block: string | null;
}

export interface MergeCommit {
  readonly sha: string;
  readonly title: string;
  readonly author: string;
}

export interface MergeReview {
  readonly author: string;
  readonly verdict: "approved" | "changes requested";
}

export interface MergeOrder {
  readonly number: number;
  readonly headCommit: string;
  readonly method: MergeMethod;
  /** Message of the new commit; a rebase makes none. */
  readonly message: { readonly title: string; readonly text: string };
}
