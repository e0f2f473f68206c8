/** CODEOWNERS is read from the pinned commit as git stores it: edits in a draft or checkout have no effect. */

import { ownersOf, parseCodeOwners } from "../../text/code-owners.ts";
import type { FileOwners } from "../../thread/owners.ts";
import type { CheckoutDeps } from "./checkout.ts";
import { bareOf } from "../mirror/generation.ts";
import type { Workspace } from "./record.ts";

/** In order of precedence; the last is GitLab's. */
const PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];
/** GitHub has the same limit. */
const MAX_FILE = 3 * 2 ** 20;
const MAX_SETS = 500;
/** Comparison steps: well under a second. */
const WORK = 30_000_000;

type OwnersFound =
  /** Owners are disabled on this host, and nothing was read. */
  | { readonly kind: "off" }
  | { readonly kind: "owned"; readonly owned: FileOwners }
  | { readonly kind: "refused"; readonly message: string };

export const findOwners = async (
  { ownerKnown, generations, layout }: Pick<CheckoutDeps, "ownerKnown" | "generations" | "layout">,
  workspace: Workspace,
  paths: Iterable<string>,
): Promise<OwnersFound> => {
  if (ownerKnown === null) return { kind: "off" };
  const bare = bareOf(layout, workspace);
  const there = await generations.entries(bare, workspace.commit, PLACES);
  // A link does not count.
  const isThere = (place: string) => there.find(({ path, mode }) => path === place && mode.startsWith("100"));
  const found = PLACES.flatMap((place) => isThere(place) ?? [])[0];
  if (found === undefined) return { kind: "owned", owned: { file: null, sets: [], unknown: [] } };
  const { path: file, id, size } = found;
  if (size === null || size > MAX_FILE) return refused(`${file} is too large to say who owns the files.`);
  const rules = parseCodeOwners(await generations.blob(bare, id));
  const sets = new Map<string, FileOwners["sets"][number]>();
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

const refused = (message: string): OwnersFound => ({ kind: "refused", message });
