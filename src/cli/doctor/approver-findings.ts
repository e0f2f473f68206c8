/**
 * What doctor says of PARLEY_APPROVERS, and of the table of owners, on a platform: whether each person and group that they
 * name is there.
 */

import type { Config } from "../../host/settings/config.ts";
import { readOwnersFile } from "../../host/settings/owners-file.ts";
import type { Approver } from "../../ports/chat-platform.ts";
import { approversOf } from "../../runtime/chat/commands/rights.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

interface ApproverCheck {
  approver(
    approver: Extract<Approver, { readonly id: string }>,
  ): Promise<{ readonly usable: boolean; readonly found: string }>;
}

type Settings = Pick<Config, "PARLEY_APPROVERS" | "PARLEY_CODEOWNERS">;

export async function* approverFindings(
  surface: "slack" | "discord",
  { PARLEY_APPROVERS: named, PARLEY_CODEOWNERS: file }: Settings,
  checks: ApproverCheck,
): AsyncGenerator<Finding> {
  const lists = [
    ["approvers", "nobody approves by this entry", "PARLEY_APPROVERS", named],
    ["owners", "nobody owns a file by this entry", "the table of PARLEY_CODEOWNERS", ownerIds(file)],
  ] as const;
  for (const [who, lost, where, ids] of lists) {
    for (const approver of approversOf(surface, ids)) {
      if (approver.kind === "admins" || approver.kind === "members") continue;
      const { usable, found } = await checks.approver(approver);
      const what = `${surface} ${who}`;
      yield usable ? ok(what, found) : warning(what, `${found}: ${lost}`, `Correct ${where}.`);
    }
  }
}

/** Null where owners of files do not count. */
export const ownersFinding = (file: string | undefined): Finding | null => {
  if (file === undefined) return null;
  const read = readOwnersFile(file);
  return read.kind === "invalid"
    ? error("owners", read.problems.join("; "), "Correct the file that PARLEY_CODEOWNERS names.")
    : ok("owners", `${[...read.table.keys()].join(", ") || "nobody"} (${file})`);
};

const ownerIds = (file: string | undefined): readonly string[] => {
  const read = file === undefined ? null : readOwnersFile(file);
  return read?.kind === "table" ? [...new Set([...read.table.values()].flat())] : [];
};
