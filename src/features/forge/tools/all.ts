import type { WritableForges } from "../ports/forge-writer.ts";
import type { OwnerTable } from "../../../thread/owners.ts";
import type { Tool, ToolKit } from "../../../tools/tool.ts";
import { NOBODY_CONNECTED, type WritesInName } from "../people/in-name.ts";
import { commentOnIssue, fileIssue, labelIssue } from "./issue-writes.ts";
import { mergePullRequest } from "./merge-write.ts";
import { postReview } from "./post-review.ts";
import { openPullRequest } from "./pull-write.ts";
import { createForgeTools } from "./tools.ts";
import { createAnswerReviewTool } from "../tend/answer-review.ts";
import type { LateTending } from "../tend/open.ts";
import { createForgeWriting } from "./writes.ts";

/** Parts that only an open host has. */
interface LateParts {
  readonly names?: WritesInName;
  readonly owners?: () => OwnerTable | undefined;
}

export const allForgeTools = (
  forges: WritableForges,
  { redact, outgoing }: ToolKit,
  tending: LateTending,
  { names = NOBODY_CONNECTED, owners = () => undefined }: LateParts = {},
): readonly Tool[] => {
  const writing = createForgeWriting(forges, redact, names);
  return [
    ...createForgeTools(forges),
    writing(openPullRequest({ ...outgoing, guard: tending.guard })),
    writing(fileIssue),
    writing(commentOnIssue),
    writing(labelIssue),
    writing(mergePullRequest(owners)),
    writing(postReview),
    createAnswerReviewTool(tending, redact),
  ];
};
