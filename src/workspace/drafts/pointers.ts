/** Git no longer finds a large file whose LFS pointer was replaced (WG6). */

import type { CleanRoom } from "../checkout/clean-room.ts";
import { exactBytes } from "../run/exact-text.ts";
import { LINK, SUBMODULE, type TreeChange } from "./entries.ts";

/** Git LFS treats a larger file as content. */
const MAX_POINTER = 1_024;
/** Blobs that one git call prints: well below its output limit. */
const TOGETHER = 4_000;

/** A pointer to another large file is an ordinary change. */
export const replacedPointers = async (
  room: CleanRoom,
  entries: readonly TreeChange[],
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const changed = entries.flatMap(({ path, old, new: now }) =>
    isFile(old) && isFile(now) && old.blob !== now.blob ? [{ path, old: old.blob, now: now.blob }] : [],
  );
  const were = await pointersAmong(
    room,
    changed.map(({ old }) => old),
    signal,
  );
  const replaced = changed.filter(({ old }) => were.has(old));
  const are = await pointersAmong(
    room,
    replaced.map(({ now }) => now),
    signal,
  );
  return replaced.filter(({ now }) => !are.has(now)).map(({ path }) => path);
};

type Side = NonNullable<TreeChange["old"]>;

const isFile = (side: Side | null): side is Side =>
  side !== null && side.mode !== LINK && side.mode !== SUBMODULE;

const pointersAmong = async (
  room: CleanRoom,
  blobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> => {
  if (blobs.length === 0) return new Set();
  const sizes = await room.ask(["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
    stdin: lines(blobs),
    signal,
  });
  const small = sizes.split("\n").flatMap((line) => {
    const [blob = "", size = ""] = line.split(" ");
    return /^\d+$/.test(size) && Number(size) < MAX_POINTER ? [blob] : [];
  });
  const found = new Set<string>();
  for (let from = 0; from < small.length; from += TOGETHER) {
    const some = small.slice(from, from + TOGETHER);
    const said = await room.ask(["cat-file", "--batch"], { stdin: lines(some), exact: true, signal });
    for (const { blob, text } of blobsIn(exactBytes(said))) if (isPointer(text)) found.add(blob);
  }
  return found;
};

const lines = (blobs: readonly string[]): string => `${blobs.join("\n")}\n`;

/** Reads a sequence of `blob SP type SP size LF content LF`. */
const blobsIn = (bytes: Buffer): readonly { readonly blob: string; readonly text: string }[] => {
  const found: { readonly blob: string; readonly text: string }[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf("\n", at);
    const [blob = "", , size = ""] = bytes.toString("latin1", at, end).split(" ");
    if (end < 0 || !/^\d+$/.test(size)) break;
    const from = end + 1;
    at = from + Number(size) + 1;
    found.push({ blob, text: bytes.toString("latin1", from, at - 1) });
  }
  return found;
};

const POINTER =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v\d{1,3}\r?\n(?:ext-\d-[^\n]*\n){0,10}oid sha256:[0-9a-f]{64}\r?\nsize \d{1,19}\s*$/;

export const isPointer = (text: string): boolean => text.length < MAX_POINTER && POINTER.test(text);
