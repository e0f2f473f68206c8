/** What doctor says of PARLEY_APPROVERS on a platform: whether each person and group that it names is there. */

import type { Config } from "../../host/settings/config.ts";
import type { Approver } from "../../ports/chat-platform.ts";
import { approversOf } from "../../runtime/chat/commands/rights.ts";
import { type Finding, ok, warning } from "./finding.ts";

interface ApproverCheck {
  approver(
    approver: Extract<Approver, { readonly id: string }>,
  ): Promise<{ readonly usable: boolean; readonly found: string }>;
}

export async function* approverFindings(
  surface: "slack" | "discord",
  { PARLEY_APPROVERS: named }: Pick<Config, "PARLEY_APPROVERS">,
  checks: ApproverCheck,
): AsyncGenerator<Finding> {
  for (const approver of approversOf(surface, named)) {
    if (approver.kind === "admins" || approver.kind === "members") continue;
    const { usable, found } = await checks.approver(approver);
    const what = `${surface} approvers`;
    yield usable
      ? ok(what, found)
      : warning(what, `${found}: nobody approves by this entry`, "Correct PARLEY_APPROVERS.");
  }
}
