/** Reads `diff-tree -r -z --raw --numstat` in linear time. */

import { countedIn } from "../checkout/clean-room.ts";
import type { DraftFile, FileChange } from "../../thread/draft.ts";

export interface TreeChange extends DraftFile {
  /** Null on the side where the file does not exist. */
  readonly old: Side | null;
  readonly new: Side | null;
  /** A submodule with the same commit as a removed one: moved, not new. Absent for all other entries. */
  readonly moved?: true;
}

interface Side {
  readonly mode: string;
  readonly blob: string;
}

export const LINK = "120000";
export const EXECUTABLE = "100755";
export const SUBMODULE = "160000";

const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;

/** Null for text that git does not write. */
export const entriesIn = (text: string): readonly TreeChange[] | null => {
  const fields = text.split("\0");
  const sides = new Map<string, Pick<TreeChange, "old" | "new">>();
  const entries: TreeChange[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? "";
    const raw = RAW.exec(field);
    const counted = raw === null ? countedIn(field) : null;
    if (raw !== null) {
      const [, oldMode = "", newMode = "", oldBlob = "", newBlob = ""] = raw;
      at += 1;
      sides.set(fields[at] ?? "", { old: sideOf(oldMode, oldBlob), new: sideOf(newMode, newBlob) });
    } else if (counted !== null) {
      const both = sides.get(counted.path);
      if (both === undefined) return null;
      entries.push({ ...counted, ...both, change: changeOf(both, counted.added === null) });
    } else if (field !== "") return null;
  }
  return entries.length === sides.size ? withMoves(entries) : null;
};

const withMoves = (entries: readonly TreeChange[]): readonly TreeChange[] => {
  const left = entries.flatMap(({ old, new: now }) =>
    old?.mode === SUBMODULE && now === null ? [old.blob] : [],
  );
  if (left.length === 0) return entries;
  const gone = new Set(left);
  return entries.map((entry) =>
    entry.old === null && entry.new?.mode === SUBMODULE && gone.has(entry.new.blob)
      ? { ...entry, moved: true }
      : entry,
  );
};

const sideOf = (mode: string, blob: string): Side | null => (mode === "000000" ? null : { mode, blob });

const changeOf = ({ old, new: now }: Pick<TreeChange, "old" | "new">, isBinary: boolean): FileChange => {
  if (now === null) return "deleted";
  if (now.mode === LINK || old?.mode === LINK) return "link";
  if (old === null) return "added";
  if (old.blob === now.blob) return "mode";
  return isBinary ? "binary" : "changed";
};
