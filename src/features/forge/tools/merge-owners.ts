/** Owners who must approve a merge, from the CODEOWNERS of the base branch: the pull request cannot change them. */

import { type FileOwners, ownerIdsOf, ownersOfFiles, type OwnerTable } from "../../../thread/owners.ts";
import { Unable, valueOf } from "../../../tools/tool.ts";
import type { Pull } from "../ports/project.ts";
import type { WriteContext } from "./writes.ts";

/** Throws `Unable` if the owners cannot be found, because nobody could then decide. */
export const readMergeOwners = async (
  table: OwnerTable,
  { pull, base }: { readonly pull: Pull; readonly base: string },
  { project, signal }: Pick<WriteContext, "project" | "signal">,
): Promise<FileOwners> => {
  const file = valueOf(await project.ownersFile(base, signal));
  if (file.kind === "none") return { file: null, sets: [], unknown: [] };
  if (file.kind === "unreadable")
    throw new Unable(`${UNKNOWN}, because its CODEOWNERS cannot be read. ${REMEDY}`);
  if (pull.files.length < pull.filesInAll)
    throw new Unable(`${UNKNOWN}, because it changes more files than Parley can read. ${REMEDY}`);
  const paths = pull.files.flatMap(({ path, oldPath = path }) => [...new Set([path, oldPath])]);
  const owned = ownersOfFiles(
    { file: "CODEOWNERS", text: file.text },
    paths,
    (owner) => ownerIdsOf(table, owner) !== null,
  );
  if (owned === null)
    throw new Unable(`${UNKNOWN}, because its CODEOWNERS says too much of so many files. ${REMEDY}`);
  return owned;
};

const UNKNOWN = "The owners of its files are unknown";
const REMEDY = "Merge it on the forge.";
