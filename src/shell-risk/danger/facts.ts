/** What the host knows about the place in which a call would run. Plain data: classification asks nobody. */

/** What stands at a path of the checkout before the call (D30). */
export type PathState =
  /** Nothing: the call would create it. */
  | "new"
  /** In git's index: what is overwritten can be had back. */
  | "tracked"
  /** Neither: what is overwritten is gone. Ignored files are among these. */
  | "untracked";

export interface CheckoutFacts {
  /** The checkout as commands see it; absolute. */
  readonly workspace: string;
  /** The home directory as commands see it, or null where it is not known. */
  readonly home: string | null;
  /** By path from the checkout on; a path that is not in it has not been looked up. */
  readonly standing: ReadonlyMap<string, PathState>;
  /** Files of the checkout that calls run; a path that is not in it has not been looked up. */
  readonly files: ReadonlyMap<string, FileText>;
}

/** A file as it stands before the call. */
export interface FileText {
  /** Null where it is no text, or too long to be looked at. */
  readonly whole: string | null;
  /**
   * What git does not have of it: all of a new file, the added lines of a changed one, nothing where git has it or
   * ignores it. That is what a conversation wrote, fetched or was given.
   */
  readonly written: "all" | "nothing" | { readonly lines: string };
}

/** What is known before anything is looked up: the same on the command line and in the product. */
export const factsOf = (workspace: string, home: string | null): CheckoutFacts => ({
  workspace,
  home,
  standing: new Map(),
  files: new Map(),
});
