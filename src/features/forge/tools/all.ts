import type { WritableForges } from "../ports/forge-writer.ts";
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

export const allForgeTools = (
  forges: WritableForges,
  { redact, outgoing }: ToolKit,
  tending: LateTending,
  names: WritesInName = NOBODY_CONNECTED,
): readonly Tool[] => {
  const writing = createForgeWriting(forges, redact, names);
  return [
    ...createForgeTools(forges),
    writing(openPullRequest({ ...outgoing, guard: tending.guard })),
    writing(fileIssue),
    writing(commentOnIssue),
    writing(labelIssue),
    writing(mergePullRequest),
    writing(postReview),
    createAnswerReviewTool(tending, redact),
  ];
};
