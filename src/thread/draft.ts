/** What a draft would make real, as the host itself read it: kept with its card, so that it can be told for ever. */

import { omitUndefined } from "../text/given.ts";
import type { FileOwners } from "./owners.ts";

/** `mode`: of execution, and nothing else. `link`: it is one, or was. */
export const FILE_CHANGES = ["added", "changed", "deleted", "mode", "link", "binary"] as const;

export type FileChange = (typeof FILE_CHANGES)[number];

export interface DraftFile {
  readonly path: string;
  /** The path that it had before. Absent if it has not moved. */
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
  /** By path; at most MAX_DRAFT_FILES of them. */
  readonly files: readonly DraftFile[];
  readonly filesInAll: number;
  readonly added: number;
  readonly removed: number;
  /** As git writes it, cut after MAX_DRAFT_DIFF characters at the end of a line. */
  readonly diff: string;
  readonly isDiffCut: boolean;
  /** What gets a line of its own, in the order of DELICATE. */
  readonly delicate: readonly Delicate[];
  readonly test: DraftTest | null;
  /** In their order; the last one's tree is `tree`. One where the draft holds no commits of its own. */
  readonly commits: readonly DraftCommit[];
  /** Of all files that one of them changes; absent where owners do not count. */
  readonly owners?: FileOwners;
  /** The branch that the conversation began at has moved on since, as far as the host knows; absent where it has not. */
  readonly moved?: DraftMoved;
}

export interface DraftMoved {
  readonly ref: string;
  readonly count: number;
  /** The newest first, not all of them. */
  readonly titles: readonly string[];
  /** Without a conflict. */
  readonly merges: boolean;
  /** The card before was approved after they came, so nothing was written. */
  readonly again?: true;
}

export interface DraftCommit {
  readonly title: string;
  readonly tree: string;
  /** Against the one before; absent where it is the only one. */
  readonly files?: number;
  readonly added?: number;
  readonly removed?: number;
}

/** Why people should look twice. `pointer`: of Git LFS, replaced by something else. */
export const DELICATE = ["workflow", "owners", "lock", "executable", "binary", "link", "pointer"] as const;

export interface Delicate {
  readonly why: (typeof DELICATE)[number];
  readonly path: string;
}

export interface DraftTest {
  readonly command: string;
  /** Null where it did not come to its end. */
  readonly status: number | null;
  /** Why it did not: `time`, `memory`, `disk` …; absent where it did. */
  readonly ended?: string;
  /** The last lines that it wrote. */
  readonly tail: string;
  readonly seconds: number;
}

/** The same draft with every text through `left`. Ids of trees stay, because a click is compared with them. */
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

/** The same file with its names through `left`. */
export const fileWithout = <File extends Pick<DraftFile, "path" | "from">>(
  file: File,
  left: (text: string) => string,
): File => ({ ...file, path: left(file.path), ...omitUndefined({ from: file.from && left(file.from) }) });
