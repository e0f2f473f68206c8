/**
 * Who owns the files of a change: the CODEOWNERS of the pinned commit says it, as git itself has it there. What a draft or a
 * checkout makes of that file counts for nothing.
 */

import { ownersOf, parseCodeOwners } from "../../text/code-owners.ts";
import type { Owned } from "../../thread/owners.ts";
import type { WorkspaceParts } from "../parts.ts";
import type { CleanRoom } from "./clean-room.ts";

/** In the order in which they are looked for; the last is GitLab's. */
const PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];
/** GitHub reads no larger one. */
const MAX_FILE = 3 * 2 ** 20;
const MAX_SETS = 500;
/** Steps of comparing: well under a second. */
const WORK = 30_000_000;

export type OwnersFound =
  /** They do not count on this host: nothing was read. */
  | { readonly kind: "off" }
  | { readonly kind: "owned"; readonly owned: Owned }
  /** One sentence. */
  | { readonly kind: "refused"; readonly message: string };

export const findOwners = async (
  { ownerKnown }: Pick<WorkspaceParts, "ownerKnown">,
  room: CleanRoom,
  commit: string,
  paths: Iterable<string>,
  signal: AbortSignal,
): Promise<OwnersFound> => {
  if (ownerKnown === null) return { kind: "off" };
  const listed = await room.ask(["ls-tree", "-z", commit, "--", ...PLACES], { signal });
  const there = new Map(listed.split("\0").flatMap(entryIn));
  const file = PLACES.find((place) => there.has(place));
  if (file === undefined) return { kind: "owned", owned: { file: null, sets: [], unknown: [] } };
  const read = await room.ask(["cat-file", "blob", there.get(file) ?? ""], { most: MAX_FILE + 1, signal });
  if (read.length > MAX_FILE) return refused(`${file} is too large to say who owns the files.`);
  const rules = parseCodeOwners(read);
  const sets = new Map<string, Owned["sets"][number]>();
  const work = { left: WORK };
  for (const path of paths) {
    const wanted = ownersOf(rules, path, work);
    if (wanted === null || sets.size > MAX_SETS)
      return refused(`${file} says too much of so many files: propose a part of the change.`);
    for (const owners of wanted) {
      const key = owners.join(" ").toLowerCase();
      const known = sets.get(key);
      sets.set(key, known === undefined ? { owners, path, files: 1 } : { ...known, files: known.files + 1 });
    }
  }
  const all = [...sets.values()];
  const unknown = new Set(all.flatMap(({ owners }) => owners).filter((owner) => !ownerKnown(owner)));
  return { kind: "owned", owned: { file, sets: all, unknown: [...unknown] } };
};

/** A file, not a link. */
const entryIn = (entry: string): readonly (readonly [string, string])[] => {
  const [, blob = "", path = ""] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
  return path === "" ? [] : [[path, blob]];
};

const refused = (message: string): OwnersFound => ({ kind: "refused", message });
