import type { ReviewThread } from "../api/forge-writer.ts";
import { gatherEnd, ITEMS_A_PAGE } from "../api/gather.ts";
import { hasWriteMarker, withWriteMarker } from "../api/idempotent.ts";
import type { ReviewComment } from "../ports/forge-writer.ts";
import type { GitHubClient } from "./ask.ts";
import { pagedBy } from "./paged.ts";

/** Maximum number of pages of reviews, from the newest. */
const MAX_PAGES = 5;

/** GitHub posts a review with all of its comments at once, or refuses all of it. */
export const githubReviews = ({ octokit, bounds }: GitHubClient, pull: number): ReviewThread => {
  const on = { ...bounds, pull_number: pull };
  return {
    find: async (mark) => {
      const { items } = await gatherEnd(async (page) => {
        const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews";
        const { data, headers } = await octokit.request(path, { ...on, per_page: ITEMS_A_PAGE, page });
        return { ...pagedBy(headers), items: data };
      }, MAX_PAGES);
      return items.find(({ body }) => hasWriteMarker(body, mark))?.html_url ?? null;
    },
    post: async ({ commit, text, comments, requestsChanges }, mark) => {
      const { data } = await octokit.request("POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", {
        ...on,
        commit_id: commit,
        body: withWriteMarker(text, mark),
        event: requestsChanges ? "REQUEST_CHANGES" : "COMMENT",
        comments: comments.map(commentOn),
      });
      return data.html_url;
    },
  };
};

const commentOn = ({ path, side, first, last, text }: ReviewComment) => {
  const [from, line] = [first[side] ?? 0, last[side] ?? 0];
  const named = side === "new" ? "RIGHT" : "LEFT";
  return {
    path,
    line,
    side: named,
    body: text,
    ...(from === line ? {} : { start_line: from, start_side: named }),
  };
};
