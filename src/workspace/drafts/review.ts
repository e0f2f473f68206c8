/** One tree of a draft as the host reads it in its clean room: what it changes, or why it is not taken back. */

import type { CleanRoom } from "../checkout/clean-room.ts";
import type { Answer } from "../mirror/generation.ts";
import { type Entry, entriesIn, LINK } from "./entries.ts";
import { entryFault, grownDirectories, linkFault, sizeFault, twinFault } from "./judge.ts";

export type Reviewed =
  | { readonly kind: "entries"; readonly entries: readonly Entry[] }
  /** One sentence. */
  | { readonly kind: "refused"; readonly message: string };

/** Files that one draft may change: people are to understand it. */
const MAX_CHANGED = 10_000;
const MAX_LINKS = 500;
/** Directories asked about at once. */
const TOGETHER = 200;

const PLAIN = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];

export const reviewTree = async (
  room: CleanRoom,
  { base, tree }: { readonly base: string; readonly tree: string },
  signal: AbortSignal,
): Promise<Answer<Reviewed>> => {
  const said = await room.ask(
    ["diff-tree", "-r", "-z", "--raw", "--numstat", "--no-abbrev", ...PLAIN, base, tree],
    { signal },
  );
  if (said.kind !== "done") return said;
  const entries = entriesIn(said.value);
  if (entries === null) return refused("git says of it what cannot be read.");
  if (entries.length > MAX_CHANGED)
    return refused(
      `It changes more than ${MAX_CHANGED.toLocaleString("en")} files: propose a part of it, and have .gitignore name what is built.`,
    );
  const faults = [
    async () => done(firstOf(entries, entryFault)),
    () => sizeFaultOf(room, entries, signal),
    () => linkFaultOf(room, entries, signal),
    () => twinFaultOf(room, { base, tree }, entries, signal),
  ];
  for (const look of faults) {
    const found = await look();
    if (found.kind !== "done") return found;
    if (found.value !== null) return refused(found.value);
  }
  return { kind: "done", value: { kind: "entries", entries } };
};

/** The difference as text, its first `most` bytes. */
export const diffOf = (
  room: CleanRoom,
  { base, tree, most }: { readonly base: string; readonly tree: string; readonly most: number },
  signal: AbortSignal,
): Promise<Answer<string>> => room.ask(["diff-tree", "-r", "-p", ...PLAIN, base, tree], { most, signal });

/** The same for `git apply`, with what is binary; null where it is larger than `most`, or holds what UTF-8 does not know. */
export const patchOf = async (
  room: CleanRoom,
  { base, tree, most }: { readonly base: string; readonly tree: string; readonly most: number },
  signal: AbortSignal,
): Promise<Answer<string | null>> => {
  const said = await room.ask(["diff-tree", "-r", "-p", "--binary", ...PLAIN, base, tree], {
    most: most + 1,
    signal,
  });
  if (said.kind !== "done") return said;
  return done(Buffer.byteLength(said.value) > most || said.value.includes("\uFFFD") ? null : said.value);
};

const firstOf = (entries: readonly Entry[], fault: (entry: Entry) => string | null): string | null => {
  for (const entry of entries) {
    const found = fault(entry);
    if (found !== null) return found;
  }
  return null;
};

const sizeFaultOf = async (
  room: CleanRoom,
  entries: readonly Entry[],
  signal: AbortSignal,
): Promise<Answer<string | null>> => {
  const fresh = entries.flatMap(({ path, new: now }) => (now === null ? [] : [{ path, blob: now.blob }]));
  if (fresh.length === 0) return done(null);
  const stdin = `${fresh.map(({ blob }) => blob).join("\n")}\n`;
  const said = await room.ask(["cat-file", "--batch-check=%(objectsize)"], { stdin, signal });
  if (said.kind !== "done") return said;
  const sizes = said.value.trimEnd().split("\n").map(Number);
  if (sizes.length !== fresh.length || sizes.some(Number.isNaN)) return done("a file of it is missing.");
  for (const [index, { path }] of fresh.entries()) {
    const fault = sizeFault(path, sizes[index] ?? 0);
    if (fault !== null) return done(fault);
  }
  return done(null);
};

const linkFaultOf = async (
  room: CleanRoom,
  entries: readonly Entry[],
  signal: AbortSignal,
): Promise<Answer<string | null>> => {
  const links = entries.flatMap(({ path, new: now }) =>
    now?.mode === LINK ? [{ path, blob: now.blob }] : [],
  );
  if (links.length > MAX_LINKS) return done(`It has more than ${MAX_LINKS} new links.`);
  for (const { path, blob } of links) {
    const said = await room.ask(["cat-file", "blob", blob], { most: 4_097, signal });
    if (said.kind !== "done") return said;
    const fault = said.value.length > 4_096 ? `A link's target is too long.` : linkFault(path, said.value);
    if (fault !== null) return done(fault);
  }
  return done(null);
};

const twinFaultOf = async (
  room: CleanRoom,
  { base, tree }: { readonly base: string; readonly tree: string },
  entries: readonly Entry[],
  signal: AbortSignal,
): Promise<Answer<string | null>> => {
  const directories = grownDirectories(entries);
  for (let from = 0; from < directories.length; from += TOGETHER) {
    const some = directories.slice(from, from + TOGETHER);
    const now = await namesBelow(room, tree, some, signal);
    if (now.kind !== "done") return now;
    // Asked only where it matters: most have no twins at all.
    if (twinFault(now.value, new Set()) === null) continue;
    const before = await namesBelow(room, base, some, signal);
    if (before.kind !== "done") return before;
    const fault = twinFault(now.value, new Set(before.value));
    if (fault !== null) return done(fault);
  }
  return done(null);
};

/** What stands directly in these directories. */
const namesBelow = async (
  room: CleanRoom,
  tree: string,
  directories: readonly string[],
  signal: AbortSignal,
): Promise<Answer<readonly string[]>> => {
  const names = new Set<string>();
  const below = directories.filter((directory) => directory !== "");
  for (const asked of [
    ...(below.length === directories.length ? [] : [[]]),
    ...(below.length === 0 ? [] : [below]),
  ]) {
    const said = await room.ask(["ls-tree", "-z", "--name-only", tree, ...asked], { signal });
    if (said.kind !== "done") return said;
    for (const name of said.value.split("\0")) if (name !== "") names.add(name);
  }
  return done([...names]);
};

const refused = (message: string): Answer<Reviewed> => done({ kind: "refused", message });

const done = <T>(value: T): { readonly kind: "done"; readonly value: T } => ({ kind: "done", value });
