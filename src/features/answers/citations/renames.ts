/**
 * Finds the new names of missing files between two trees, with git's rename detection. This is the expensive part of a check.
 * Its result depends only on the files that exist in just one of the trees, so those files are the cache key.
 */

import { createHash } from "node:crypto";
import type { ComparisonRepo } from "../../../ports/commits.ts";

/** Keyed by the old name. */
type Renamed = ReadonlyMap<string, { readonly file: string; readonly after: string }>;

export type KnownRenames = Map<string, Renamed>;

const MOST = 2_000;

/** `pairs`: two tree ids each, separated by a space. */
export const renames = async (
  repo: ComparisonRepo,
  pairs: readonly string[],
  known: KnownRenames,
): Promise<ReadonlyMap<string, Renamed>> => {
  if (pairs.length === 0) return new Map();
  // If the list is too long, the pair is treated as new.
  const listed = await recordsOf(repo, LISTED, pairs).catch((error: unknown) => {
    if (repo.signal.aborted) throw error;
    return null;
  });
  const keys = new Map(pairs.map((pair) => [pair, listed === null ? pair : keyOf(listed.get(pair) ?? [])]));
  const fresh = new Map([...keys].flatMap(([pair, key]) => (known.has(key) ? [] : [[key, pair] as const])));
  const found = fresh.size === 0 ? null : await recordsOf(repo, RENAMED, [...fresh.values()]);
  for (const [key, pair] of fresh) known.set(key, renamedIn(found?.get(pair) ?? []));
  const value = new Map([...keys].map(([pair, key]) => [pair, known.get(key) ?? NONE]));
  for (const key of [...known.keys()].slice(0, Math.max(0, known.size - MOST))) known.delete(key);
  return value;
};

const NONE: Renamed = new Map();

const LISTED = "git diff-tree --stdin -r --no-renames --diff-filter=AD --raw -z 2> /dev/null";
const RENAMED = "git diff-tree --stdin -r -M --diff-filter=R --raw -z 2> /dev/null";

/** Returns the fields of git's output for each pair of trees. */
const recordsOf = async (
  repo: ComparisonRepo,
  script: string,
  pairs: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const asked = await repo.ask(script, pairs.map((two) => `${two}\n`).join(""));
  const found = new Map<string, string[]>();
  let fields: string[] = [];
  for (const part of asked.split("\0")) {
    // If a pair differs from the previous pair, a line with two tree ids precedes its records.
    const lines = part.split("\n");
    while (/^[0-9a-f]{40,64} [0-9a-f]{40,64}$/.test(lines[0] ?? "")) {
      fields = [];
      found.set(lines.shift() ?? "", fields);
    }
    fields.push(lines.join("\n"));
  }
  return found;
};

const keyOf = (fields: readonly string[]): string =>
  createHash("sha256").update(fields.join("\0")).digest("base64");

const renamedIn = (fields: readonly string[]): Renamed => {
  const names = new Map<string, { readonly file: string; readonly after: string }>();
  for (const [index, field] of fields.entries()) {
    const after = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) R\d+$/.exec(field)?.[1];
    const [old, file] = fields.slice(index + 1);
    if (after !== undefined && old !== undefined && file !== undefined) names.set(old, { file, after });
  }
  return names;
};
