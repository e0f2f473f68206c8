/** Stored with the card of the draft, so that the card can always be displayed. */

import { omitUndefined } from "../text/omit-undefined.ts";
import type { FileOwners } from "./owners.ts";

/** `mode`: only the executable bit changed. `link`: the file is or was a symbolic link. */
export const FILE_CHANGES = ["added", "changed", "deleted", "mode", "link", "binary"] as const;

export type FileChange = (typeof FILE_CHANGES)[number];

export interface DraftFile {
  readonly path: string;
  readonly from?: string;
  readonly change: FileChange;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface DraftResult {
  /** Full hash of the git tree. */
  readonly tree: string;
  /** The conversation's pinned commit. */
  readonly base: string;
  /** Sorted by path; at most MAX_DRAFT_FILES entries. */
  readonly files: readonly DraftFile[];
  readonly filesInAll: number;
  readonly added: number;
  readonly removed: number;
  /** As git writes it, cut at a line end after at most MAX_DRAFT_DIFF characters. */
  readonly diff: string;
  readonly isDiffCut: boolean;
  readonly delicate: readonly Delicate[];
  readonly test: DraftTest | null;
  /** In order; the last one's tree is `tree`. A single entry if the draft has no commits. */
  readonly commits: readonly DraftCommit[];
  /** Owners of all files that any of the commits changes; absent if owners are disabled. */
  readonly owners?: FileOwners;
  /** New commits on the branch that the conversation began at, as far as the host knows; absent if there are none. */
  readonly moved?: DraftMoved;
}

export interface DraftMoved {
  readonly ref: string;
  readonly count: number;
  /** Newest first; possibly fewer than `count`. */
  readonly titles: readonly string[];
  readonly merges: boolean;
  /** Whether the previous card was approved after these commits arrived, so that nothing was written. */
  readonly again?: true;
}

export interface DraftCommit {
  readonly title: string;
  readonly tree: string;
  /** Compared with the previous commit; absent for a single commit. */
  readonly files?: number;
  readonly added?: number;
  readonly removed?: number;
}

/** `pointer`: a Git LFS pointer replaced by other content. */
export const DELICATE = ["workflow", "owners", "lock", "executable", "binary", "link", "pointer"] as const;

export interface Delicate {
  readonly why: (typeof DELICATE)[number];
  readonly path: string;
}

export interface DraftTest {
  readonly command: string;
  /** Exit status; null if the command did not end by itself. */
  readonly status: number | null;
  /** Reason for an early end: `time`, `memory`, `disk` …; absent if the command ended by itself. */
  readonly ended?: string;
  readonly tail: string;
  readonly seconds: number;
}

/** Maps every text of a draft through `left`. Tree ids stay, because a click is compared with them. */
export const draftWithout = <Draft extends Omit<DraftResult, "files" | "filesInAll" | "owners">>(
  draft: Draft,
  left: (text: string) => string,
): Draft => {
  const { delicate, test, commits, moved } = draft;
  return {
    ...draft,
    diff: left(draft.diff),
    delicate: delicate.map((one) => ({ ...one, path: left(one.path) })),
    test: test && { ...test, command: left(test.command), tail: left(test.tail) },
    commits: commits.map((one) => ({ ...one, title: left(one.title) })),
    ...omitUndefined({ moved: moved && { ...moved, titles: moved.titles.map(left) } }),
  };
};

export const fileWithout = <File extends Pick<DraftFile, "path" | "from">>(
  file: File,
  left: (text: string) => string,
): File => ({ ...file, path: left(file.path), ...omitUndefined({ from: file.from && left(file.from) }) });
