/** Refuses draft entries that could reach outside a checkout or be mistaken for another file on a person's machine. */

import { posix } from "node:path";
import { firstCodePoints } from "../../text/grapheme.ts";
import { visibleCode, spellInvisibleInProse } from "../../text/invisible.ts";
import { LINK, SUBMODULE, type TreeChange } from "./entries.ts";

const MAX_FILE = 32 * 2 ** 20;

export const entryFault = (entry: TreeChange): string | null => {
  const { path, old, new: now } = entry;
  if (now === null) return null;
  if (now.mode === SUBMODULE && entry.moved !== true)
    return `${quotedEntryPath(path)} is a repository of its own: remove its .git, or leave it out.`;
  // A file that the commit already has under such a name may be changed.
  return old === null && isDeceptive(path)
    ? `The name ${quotedEntryPath(path)} has characters that cannot be seen, or bytes that are not UTF-8.`
    : null;
};

const isDeceptive = (path: string): boolean =>
  spellInvisibleInProse(path) !== path || /[\n\r\t\uFFFD]/.test(path);

/** `left`: removed links with the same target. A moved link is no fault, because the commit already pointed there (39.A4). */
export const linkFault = (path: string, target: string, left: readonly string[] = []): string | null => {
  const end = endOf(path, target);
  const leaves = end.startsWith("/") || end === ".." || end.startsWith("../");
  const isMoved = leaves && left.some((before) => endOf(before, target) === end);
  const isGit = end.split("/").some((name) => name.toLowerCase() === ".git") || target.includes("\0");
  return isGit || (leaves && !isMoved)
    ? `${quotedEntryPath(path)} is a link that leads out of the checkout.`
    : null;
};

/** Path from the checkout's root; absolute if the target is absolute. */
const endOf = (path: string, target: string): string =>
  target.startsWith("/") ? target : posix.normalize(posix.join(posix.dirname(path), target));

export const sizeFault = (path: string, bytes: number): string | null =>
  bytes > MAX_FILE ? `${quotedEntryPath(path)} is larger than ${MAX_FILE / 2 ** 20} MiB.` : null;

/** Directories that contain a new name; "" for the root. */
export const grownDirectories = (entries: readonly TreeChange[]): readonly string[] => {
  const found = new Set<string>();
  for (const { path, old, new: now } of entries) {
    if (now === null || (old !== null && (old.mode === LINK) === (now.mode === LINK))) continue;
    for (let at = posix.dirname(path); !found.has(at); at = posix.dirname(at)) found.add(at);
  }
  return [...found].map((directory) => (directory === "." ? "" : `${directory}/`)).toSorted();
};

/** Two paths that some file system treats as the same. Existing twins in `known`, the base commit, are accepted. */
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

/** Canonical form and simple case folding, as file systems compare names. Compatibility characters (`x²`) stay distinct. */
const folded = (path: string): string => {
  let key = "";
  for (const each of path.normalize("NFC")) {
    const upper = each.toUpperCase();
    // Letters whose other case is longer (`ß`, `ﬁ`) have no simple case mapping, and the dotless i has none outside Turkish.
    key += (each === "ı" || upper.length > each.length ? each : upper).toLowerCase();
  }
  return key.normalize("NFC");
};

const MAX_NAME = 120;

export const quotedEntryPath = (path: string): string =>
  JSON.stringify(firstCodePoints(visibleCode(path), MAX_NAME));
