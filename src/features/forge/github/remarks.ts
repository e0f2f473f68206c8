/** The newest reviews of a pull request, and the newest comments on its lines. */

import { gatherEnd, ITEMS_A_PAGE } from "../api/gather.ts";
import type { GitHubClient } from "./ask.ts";
import { pagedBy } from "./paged.ts";

const MAX_PAGES = 5;

export const gatherReviews = ({ octokit, bounds }: GitHubClient, number: number) =>
  gatherEnd(async (page) => {
    const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews";
    const asked = { ...bounds, pull_number: number, per_page: ITEMS_A_PAGE, page };
    const { data, headers } = await octokit.request(path, asked);
    return { ...pagedBy(headers), items: data };
  }, MAX_PAGES);

export const gatherLineComments = ({ octokit, bounds }: GitHubClient, number: number) =>
  gatherEnd(async (page) => {
    const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
    const asked = { ...bounds, pull_number: number, per_page: ITEMS_A_PAGE, page };
    const { data, headers } = await octokit.request(path, asked);
    return { ...pagedBy(headers), items: data };
  }, MAX_PAGES);
