/** Checks an answer's citations inside the sandbox, against the unchanged commit and the private checkout (D24). */

import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { familyOf } from "../../machine/agent.ts";
import type { Citations } from "../../ports/workspaces.ts";
import { type Citation, fileOf, type ParsedCitation } from "../../text/citation.ts";
import { attemptLogged } from "../run/git-trouble.ts";
import { unwatched } from "../run/shared-work.ts";
import type { CheckoutParts } from "./parts.ts";
import { readRecord, type Workspace } from "./record.ts";
import { readFrom } from "../run/step.ts";

/** Limits for one answer: files that are read, and bytes of each file. */
const MOST_FILES = 40;
const MOST_BYTES = 4 * 2 ** 20;

export const createCitations = (world: CheckoutParts): Citations => ({
  check: async (conversation, base, cited) => {
    const what = "checkout: citations not checked";
    const whom = { conversation: conversation.id };
    const looked = await attemptLogged(world.log, what, whom, async (): Promise<readonly Citation[]> => {
      const workspace = await readRecord(world.layout, familyOf(conversation.id));
      if (workspace === null) return cited.flatMap(unread);
      const see = await createLook(world, workspace);
      const found = await Promise.all(cited.map((one) => see(one, fileOf(one.path, base.cwd))));
      return found.flatMap((one) => (one === null ? [] : [one]));
    });
    return looked.kind === "done" ? looked.value : cited.flatMap(unread);
  },
});

const unread = ({ path, from, to, certain }: ParsedCitation): readonly Citation[] =>
  certain ? [{ path, from, to, status: "unread", file: null }] : [];

const createLook = async ({ sandbox, trees }: CheckoutParts, workspace: Workspace) => {
  const { id, slot } = workspace;
  const shared = await trees.plain(workspace, unwatched());
  const own = await trees.existing(id);
  const files = new Map<string, Promise<readonly [Held, Held | null]>>();

  const read = async (source: string, file: string): Promise<Held> => {
    const got = await readFrom(sandbox, { source, slot }, file, MOST_BYTES);
    if (got.kind === "file") return { kind: "file", bytes: got.bytes };
    if (got.code === "not_a_file") return { kind: "directory" };
    return { kind: got.code === "not_found" || got.code === "outside" ? "none" : "unread" };
  };

  const both = (file: string): Promise<readonly [Held, Held | null]> => {
    const known =
      files.get(file) ??
      (files.size >= MOST_FILES
        ? Promise.resolve([{ kind: "unread" }, null] as const)
        : Promise.all([read(shared, file), own === null ? null : read(own, file)]));
    if (files.size < MOST_FILES) files.set(file, known);
    return known;
  };

  const hasDirectory = async (file: string): Promise<boolean> => {
    const directory = dirname(file);
    return directory !== "." && (await both(directory))[0].kind === "directory";
  };

  /** Returns null for an uncertain citation of a missing file. `file` is null if the path is below no root. */
  return async (cited: ParsedCitation, file: string | null): Promise<Citation | null> => {
    const { path, from, to, certain } = cited;
    const [atCommit, now] = file === null ? NOTHING : await both(file);
    const isThere = atCommit.kind === "file" || now?.kind === "file";
    const asks = file !== null && atCommit.kind === "none";
    if (!certain && !isThere && !(asks && (await hasDirectory(file)))) return null;
    const status = statusOf(cited, atCommit, now);
    const blob = status === "found" && atCommit.kind === "file" ? { blob: blobOf(atCommit.bytes) } : {};
    return { path, from, to, status, file, ...blob };
  };
};

/** `unread`: too large or not readable. */
type Held =
  | { readonly kind: "file"; readonly bytes: Buffer }
  | { readonly kind: "directory" | "none" | "unread" };

const NOTHING = [{ kind: "none" }, null] as const;

/** The blob id that git computes in a SHA-1 repository without filters. */
const blobOf = (bytes: Buffer): string =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

/** `now`: entry in the private checkout; null if there is no such checkout. */
const statusOf = (cited: ParsedCitation, atCommit: Held, now: Held | null): Citation["status"] => {
  if (atCommit.kind === "unread" || now?.kind === "unread") return "unread";
  if (now === null || isSame(atCommit, now)) return hasLines(atCommit, cited) ? "found" : "missing";
  return hasLines(now, cited) ? "changed" : "missing";
};

const isSame = (a: Held, b: Held): boolean =>
  a.kind === "file" && b.kind === "file" ? a.bytes.equals(b.bytes) : a.kind === b.kind;

const hasLines = (held: Held, { from, to }: ParsedCitation): boolean =>
  held.kind === "file" && from >= 1 && from <= to && to <= linesOf(held.bytes);

const linesOf = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return bytes.length > 0 && bytes.at(-1) !== 10 ? lines + 1 : lines;
};
