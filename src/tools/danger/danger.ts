/** What safe mode says of a call: the categories it falls into, each with what a person is told (Phase 5, row 113). */
import type { Category } from "../../machine/words.ts";

export type Risk = "low" | "medium" | "high";

export interface Danger {
  readonly category: Category;
  /** What the call does, in one line: the command itself, or the file that is changed. */
  readonly what: string;
  /** Why that is dangerous. */
  readonly why: string;
  readonly risk: Risk;
  /** Up to three effects found in this very call. */
  readonly changes: readonly string[];
}

/** All nine, in the order in which a call's categories are told; the first is the request's `category`. */
export const CATEGORIES = [
  "SUDO",
  "DEPS_INSTALL_UPDATE",
  "GIT_PUBLISH",
  "SYSTEM_IMPACT",
  "NETWORK_RISK",
  "FS_DELETE_OVERWRITE",
  "FS_OUTSIDE_WORKSPACE",
  "FS_CONFIG_SECRETS",
  "EXEC_ARBITRARY",
] as const satisfies readonly Category[];

/** One reason for a category, found at one place of a call. */
export interface Finding {
  readonly category: Category;
  readonly risk: Risk;
  /** The effect, as `deletes build`; bounded and made presentable by explain.ts. */
  readonly change: string;
}

export const finding = (category: Category, change: string, risk: Risk = "medium"): Finding => ({
  category,
  risk,
  change,
});

/** Of a script that was not read to its end. */
export const UNREAD = {
  syntax: finding(
    "EXEC_ARBITRARY",
    "cannot be read as a whole: the shell's grammar does not know all of it",
    "high",
  ),
  bounds: finding("EXEC_ARBITRARY", "is too long or too involved to be read to its end", "high"),
} as const;
