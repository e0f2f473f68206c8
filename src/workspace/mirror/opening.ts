/** What a person is told once when a conversation gets its working directory. */

import type { Policy, Sandbox } from "../../../sandbox/types.ts";
import type { Source } from "./source.ts";
import type { Tip } from "./refs.ts";

const MAX_LISTED = 2 ** 20;

/** Looks at the checkout from inside the sandbox: its files may be links to anywhere. */
export const openingLines = async (
  sandbox: Sandbox,
  policy: Policy,
  source: Source,
  tip: Tip,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  if (source.kind === "path") {
    const commit = tip.commit.slice(0, 12);
    lines.push(
      `Working from commit ${commit} (${tip.ref}): changes in ${source.name} that are not committed are not included.`,
    );
  }
  const modules = await sandbox.get(policy, `${policy.cwd}/.gitmodules`, MAX_LISTED);
  if (modules.kind === "file") lines.push("This repository has submodules; they are not fetched.");
  const attributes = await sandbox.get(policy, `${policy.cwd}/.gitattributes`, MAX_LISTED);
  if (attributes.kind === "file" && attributes.bytes.includes("filter=lfs")) {
    lines.push("This repository keeps large files in Git LFS; only their pointers are here.");
  }
  return lines;
};
