import type { WritableForges } from "../ports/forge-writer.ts";
import type { Tool, ToolKit } from "../../../tools/tool.ts";
import { commentOnIssue, fileIssue, labelIssue } from "./issue-writes.ts";
import { openPullRequest } from "./pull-write.ts";
import { createForgeTools } from "./tools.ts";
import { createAnswerReviewTool } from "../tend/answer-review.ts";
import type { LateTending } from "../tend/open.ts";
import { createForgeWriting } from "./writes.ts";

export const allForgeTools = (
  forges: WritableForges,
  { redact, outgoing }: ToolKit,
  tending: LateTending,
): readonly Tool[] => {
  const writing = createForgeWriting(forges, redact);
  return [
    ...createForgeTools(forges),
    writing(openPullRequest({ ...outgoing, guard: tending.guard })),
    writing(fileIssue),
    writing(commentOnIssue),
    writing(labelIssue),
    createAnswerReviewTool(tending, redact),
  ];
};
