/**
 * What of a draft the host takes back at all. An agent wrote it: whatever could reach out of a checkout, or stand for
 * another file on somebody's machine, is refused with its place, in words for the model. Pure.
 */

import { posix } from "node:path";
import { firstCodePoints } from "../../text/grapheme.ts";
import { visibleCode, spellInvisibleInProse } from "../../text/invisible.ts";
import { LINK, SUBMODULE, type TreeChange } from "./entries.ts";

/** Bytes of one file. */
const MAX_FILE = 32 * 2 ** 20;

/** Null where all is well. */
export const entryFault = (entry: TreeChange): string | null => {
  const { path, old, new: now } = entry;
  if (now === null) return null;
  if (now.mode === SUBMODULE && entry.moved !== true)
    return `${quotedEntryPath(path)} is a repository of its own: remove its .git, or leave it out.`;
  // A file that the commit has under such a name may be changed.
  return old === null && isDeceptive(path)
    ? `The name ${quotedEntryPath(path)} has characters that cannot be seen, or bytes that are not UTF-8.`
    : null;
};

const isDeceptive = (path: string): boolean =>
  spellInvisibleInProse(path) !== path || /[\n\r\t\uFFFD]/.test(path);

/**
 * `target`: what the link says. `left`: paths of links that said the same and are removed. Null if the link stays in the
 * checkout, or if a removed one led to the same place outside of it: a moved link opens nothing that the commit did not
 * (39.A4).
 */
export const linkFault = (path: string, target: string, left: readonly string[] = []): string | null => {
  const end = endOf(path, target);
  const leaves = end.startsWith("/") || end === ".." || end.startsWith("../");
  const isMoved = leaves && left.some((before) => endOf(before, target) === end);
  const isGit = end.split("/").some((name) => name.toLowerCase() === ".git") || target.includes("\0");
  return isGit || (leaves && !isMoved)
    ? `${quotedEntryPath(path)} is a link that leads out of the checkout.`
    : null;
};

/** From the checkout's root; absolute if the target is. */
const endOf = (path: string, target: string): string =>
  target.startsWith("/") ? target : posix.normalize(posix.join(posix.dirname(path), target));

export const sizeFault = (path: string, bytes: number): string | null =>
  bytes > MAX_FILE ? `${quotedEntryPath(path)} is larger than ${MAX_FILE / 2 ** 20} MiB.` : null;

/** The directories in which something has a new name, "" for the checkout's own. */
export const grownDirectories = (entries: readonly TreeChange[]): readonly string[] => {
  const found = new Set<string>();
  for (const { path, old, new: now } of entries) {
    if (now === null || (old !== null && (old.mode === LINK) === (now.mode === LINK))) continue;
    for (let at = posix.dirname(path); !found.has(at); at = posix.dirname(at)) found.add(at);
  }
  return [...found].map((directory) => (directory === "." ? "" : `${directory}/`)).toSorted();
};

/** Two paths that one file system or another holds to be the same; null where there are none. `known`: those of before. */
export const twinFault = (paths: readonly string[], known: ReadonlySet<string>): string | null => {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const key = folded(path);
    const other = seen.get(key);
    if (other !== undefined && !(known.has(path) && known.has(other)))
      return `${quotedEntryPath(other)} and ${quotedEntryPath(path)} are the same file on many machines.`;
    seen.set(key, path);
  }
  return null;
};

/**
 * Canonical form and simple case folding, as file systems compare names, and no more: compatibility characters such as `x²` are
 * names of their own.
 */
const folded = (path: string): string => {
  let key = "";
  for (const each of path.normalize("NFC")) {
    const upper = each.toUpperCase();
    // Letters whose other case is longer (`ß`, `ﬁ`) have no simple one, and the dotless i none outside of Turkish.
    key += (each === "ı" || upper.length > each.length ? each : upper).toLowerCase();
  }
  return key.normalize("NFC");
};

const MAX_NAME = 120;

/** In quotation marks, in its own script. Each hidden character stands as its code point. */
export const quotedEntryPath = (path: string): string =>
  JSON.stringify(firstCodePoints(visibleCode(path), MAX_NAME));
