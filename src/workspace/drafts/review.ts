import { type CleanRoom, countedIn } from "../checkout/clean-room.ts";
import { exactBytes } from "../run/exact-text.ts";
import { entriesIn, LINK, SUBMODULE, type TreeChange } from "./entries.ts";
import { entryFault, grownDirectories, linkFault, sizeFault, twinFault } from "./entry-faults.ts";

type Reviewed =
  | { readonly kind: "entries"; readonly entries: readonly TreeChange[] }
  | { readonly kind: "refused"; readonly message: string };

/** Files that one draft may change, so that people can understand it. */
const MAX_CHANGED = 10_000;
const MAX_LINKS = 500;
const TOGETHER = 200;

const PLAIN = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];

export const reviewTree = async (
  room: CleanRoom,
  { base, tree }: { readonly base: string; readonly tree: string },
  signal: AbortSignal,
): Promise<Reviewed> => {
  const said = await room.ask(
    ["diff-tree", "-r", "-z", "--raw", "--numstat", "--no-abbrev", ...PLAIN, base, tree],
    { signal },
  );
  const entries = entriesIn(said);
  if (entries === null) return refused("git says of it what cannot be read.");
  if (entries.length > MAX_CHANGED)
    return refused(
      `It changes more than ${MAX_CHANGED.toLocaleString("en")} files: propose a part of it, and have .gitignore name what is built.`,
    );
  const fault =
    entries.map(entryFault).find(isFault) ??
    (await sizeFaultOf(room, entries, signal)) ??
    (await linkFaultOf(room, entries, signal)) ??
    (await twinFaultOf(room, { base, tree }, entries, signal));
  return fault === null ? { kind: "entries", entries } : refused(fault);
};

export const diffOf = (
  room: CleanRoom,
  { base, tree, most }: { readonly base: string; readonly tree: string; readonly most: number },
  signal: AbortSignal,
): Promise<string> =>
  room.ask(["diff-tree", "-r", "-p", ...PLAIN, "--find-renames", base, tree], { most, exact: true, signal });

type Move = Pick<TreeChange, "added" | "removed"> & { readonly from: string };

/** Keys are the new paths. */
export const movesIn = async (
  room: CleanRoom,
  { base, tree }: { readonly base: string; readonly tree: string },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Move>> => {
  const args = ["diff-tree", "-r", "-z", "--numstat", ...PLAIN, "--find-renames", "--diff-filter=R"];
  const fields = (await room.ask([...args, base, tree], { signal })).split("\0");
  const moves = new Map<string, Move>();
  // Fields: `added TAB removed TAB`, previous path, new path.
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [from = "", to = ""] = fields.slice(at + 1);
    const counted = countedIn(`${fields[at] ?? ""}${to}`);
    if (counted !== null) moves.set(to, { from, added: counted.added, removed: counted.removed });
  }
  return moves;
};

/** Patch for `git apply`, binary files included; null if longer than `most` bytes. */
export const patchOf = async (
  room: CleanRoom,
  { base, tree, most }: { readonly base: string; readonly tree: string; readonly most: number },
  signal: AbortSignal,
): Promise<Uint8Array | null> => {
  const args = ["diff-tree", "-r", "-p", "--binary", ...PLAIN, base, tree];
  const bytes = exactBytes(await room.ask(args, { most: most + 1, exact: true, signal }));
  return bytes.length > most ? null : bytes;
};

const isFault = (found: string | null): found is string => found !== null;

const sizeFaultOf = async (
  room: CleanRoom,
  entries: readonly TreeChange[],
  signal: AbortSignal,
): Promise<string | null> => {
  const fresh = entries.flatMap(({ path, new: now }) =>
    now === null || now.mode === SUBMODULE ? [] : [{ path, blob: now.blob }],
  );
  if (fresh.length === 0) return null;
  const stdin = `${fresh.map(({ blob }) => blob).join("\n")}\n`;
  const said = await room.ask(["cat-file", "--batch-check=%(objectsize)"], { stdin, signal });
  const sizes = said.trimEnd().split("\n").map(Number);
  if (sizes.length !== fresh.length || sizes.some(Number.isNaN)) return "a file of it is missing.";
  return fresh.map(({ path }, index) => sizeFault(path, sizes[index] ?? 0)).find(isFault) ?? null;
};

const linkFaultOf = async (
  room: CleanRoom,
  entries: readonly TreeChange[],
  signal: AbortSignal,
): Promise<string | null> => {
  const links = entries.flatMap(({ path, new: now }) =>
    now?.mode === LINK ? [{ path, blob: now.blob }] : [],
  );
  const left = entries.flatMap(({ path, old }) => (old?.mode === LINK ? [{ path, blob: old.blob }] : []));
  if (links.length > MAX_LINKS) return `It has more than ${MAX_LINKS} new links.`;
  for (const { path, blob } of links) {
    const said = await room.ask(["cat-file", "blob", blob], { most: 4_097, signal });
    const before = left.filter((one) => one.blob === blob).map((one) => one.path);
    const fault = said.length > 4_096 ? `A link's target is too long.` : linkFault(path, said, before);
    if (fault !== null) return fault;
  }
  return null;
};

const twinFaultOf = async (
  room: CleanRoom,
  { base, tree }: { readonly base: string; readonly tree: string },
  entries: readonly TreeChange[],
  signal: AbortSignal,
): Promise<string | null> => {
  const directories = grownDirectories(entries);
  for (let from = 0; from < directories.length; from += TOGETHER) {
    const some = directories.slice(from, from + TOGETHER);
    const now = await namesBelow(room, tree, some, signal);
    // The base is read only if needed: most trees have no twins.
    if (twinFault(now, new Set()) === null) continue;
    const fault = twinFault(now, new Set(await namesBelow(room, base, some, signal)));
    if (fault !== null) return fault;
  }
  return null;
};

/** Names directly in `directories`. */
const namesBelow = async (
  room: CleanRoom,
  tree: string,
  directories: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const names = new Set<string>();
  const root = directories.includes("") ? [[]] : [];
  const below = directories.filter((directory) => directory !== "");
  for (const asked of below.length === 0 ? root : [...root, below]) {
    const said = await room.ask(["ls-tree", "-z", "--name-only", tree, ...asked], { signal });
    for (const name of said.split("\0")) if (name !== "") names.add(name);
  }
  return [...names];
};

const refused = (message: string): Reviewed => ({ kind: "refused", message });
