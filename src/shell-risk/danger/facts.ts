/** The host's facts about the place of a call. Plain data: classification performs no lookups. */

/** State of a checkout path before the call (D30). */
export type PathState =
  /** The file does not exist, so the call would create it. */
  | "new"
  /** In git's index, so overwritten content can be restored. */
  | "tracked"
  /** Overwritten content is lost. Includes ignored files. */
  | "untracked";

export interface CheckoutFacts {
  readonly workspace: string;
  /** Home directory in commands; null if unknown. */
  readonly home: string | null;
  /** States by path relative to the checkout. Missing paths have not been looked up. */
  readonly standing: ReadonlyMap<string, PathState>;
  /** Checkout files that calls run, by path. Missing paths have not been looked up. */
  readonly files: ReadonlyMap<string, FileText>;
}

export interface FileText {
  /** Null if the file is no text or too long. */
  readonly whole: string | null;
  /**
   * The part that git does not have: all of a new file, the added lines of a changed file, nothing of a committed or ignored
   * file. The conversation wrote, fetched or received this part.
   */
  readonly written: "all" | "nothing" | { readonly lines: string };
}

/** The facts before any lookup, equal on the command line and in the product. */
export const factsOf = (workspace: string, home: string | null): CheckoutFacts => ({
  workspace,
  home,
  standing: new Map(),
  files: new Map(),
});
