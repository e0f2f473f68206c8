/** Judges a citation by what its file holds at the commit and, where the agent has one, in its own checkout. Pure. */

import type { Citation, Parsed } from "../../text/citation.ts";

/** A name as one tree has it. `unread`: too large, or it could not be read. */
export type Held =
  | { readonly kind: "file"; readonly bytes: Buffer }
  | { readonly kind: "directory" | "none" | "unread" };

export interface Look {
  /** From the root; null where the citation names nothing beneath it. */
  readonly file: string | null;
  readonly atCommit: Held;
  /** In the private checkout; null where there is none, so that nothing can have changed. */
  readonly now: Held | null;
  /** The name stands in a directory of the repository, below its root. */
  readonly hasDirectory: boolean;
}

/** Null for what is not certainly a citation and names nothing that is there. */
export const judge = (cited: Parsed, look: Look): Citation | null => {
  const { path, from, to, certain } = cited;
  const isThere = [look.atCommit, look.now].some((held) => held?.kind === "file");
  if (!certain && !isThere && !look.hasDirectory) return null;
  return { path, from, to, status: statusOf(cited, look), file: look.file };
};

const statusOf = (cited: Parsed, { atCommit, now }: Look): Citation["status"] => {
  if (atCommit.kind === "unread" || now?.kind === "unread") return "unread";
  if (now === null || isSame(atCommit, now)) return hasLines(atCommit, cited) ? "found" : "missing";
  return hasLines(now, cited) ? "changed" : "missing";
};

const isSame = (a: Held, b: Held): boolean =>
  a.kind === "file" && b.kind === "file" ? a.bytes.equals(b.bytes) : a.kind === b.kind;

const hasLines = (held: Held, { from, to }: Parsed): boolean =>
  held.kind === "file" && from >= 1 && from <= to && to <= linesOf(held.bytes);

/** A last line counts whether or not it is ended. */
const linesOf = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return bytes.length > 0 && bytes.at(-1) !== 10 ? lines + 1 : lines;
};
