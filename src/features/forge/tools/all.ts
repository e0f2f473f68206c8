import type { WritableForges } from "../ports/forge-writer.ts";
import type { Tool, ToolKit } from "../../../tools/tool.ts";
import { commentOnIssue, fileIssue, labelIssue } from "./issue-writes.ts";
import { postReview } from "./post-review.ts";
import { openPullRequest } from "./pull-write.ts";
import { createForgeTools } from "./tools.ts";
import { createForgeWriting } from "./writes.ts";

export const allForgeTools = (forges: WritableForges, { redact, outgoing }: ToolKit): readonly Tool[] => {
  const writing = createForgeWriting(forges, redact);
  return [
    ...createForgeTools(forges),
    writing(openPullRequest(outgoing)),
    writing(fileIssue),
    writing(commentOnIssue),
    writing(labelIssue),
    writing(postReview),
  ];
};
