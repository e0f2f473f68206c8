/** CODEOWNERS is read from the pinned commit as git stores it: edits in a draft or checkout have no effect. */

import { type FileOwners, ownersOfFiles } from "../../thread/owners.ts";
import type { CheckoutDeps } from "./checkout.ts";
import { bareOf } from "../mirror/generation.ts";
import type { Workspace } from "./record.ts";

/** In order of precedence; the last is GitLab's. */
const PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];
/** GitHub has the same limit. */
const MAX_FILE = 3 * 2 ** 20;

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
  const owned = ownersOfFiles({ file, text: await generations.blob(bare, id) }, paths, ownerKnown);
  return owned === null
    ? refused(`${file} says too much of so many files: propose a part of the change.`)
    : { kind: "owned", owned };
};

const refused = (message: string): OwnersFound => ({ kind: "refused", message });
