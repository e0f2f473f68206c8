import { RequestError } from "@octokit/request-error";
import type { DeskClient, Item, IssueThread } from "../api/forge-writer.ts";
import { ITEMS_A_PAGE } from "../api/gather.ts";
import { hasWriteMarker, sinceOf, findOnPages } from "../api/idempotent.ts";
import { githubMerging } from "./merging.ts";
import { pagedBy } from "./paged.ts";
import type { GitHubClient } from "./ask.ts";
import { githubReviews } from "./reviews.ts";

export const githubDesk = (client: GitHubClient): DeskClient => {
  const { octokit, bounds } = client;
  return {
    facts: async () => {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}", { ...bounds });
      const {
        full_name: path,
        archived: isArchived,
        default_branch: defaultBranch,
        has_issues: hasIssues,
        permissions,
      } = data;
      return { path, isArchived, defaultBranch, hasIssues, mayPush: permissions?.push !== false };
    },
    labels: async (page) => {
      const asked = { ...bounds, per_page: ITEMS_A_PAGE, page };
      const { data, headers } = await octokit.request("GET /repos/{owner}/{repo}/labels", asked);
      return { ...pagedBy(headers), items: data.map(({ name }) => name) };
    },
    issues: async (mark, page) => {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/issues", {
        ...bounds,
        state: "all",
        sort: "created",
        direction: "desc",
        since: sinceOf(mark).toISOString(),
        per_page: ITEMS_A_PAGE,
        page,
      });
      // Pull requests are listed too. Their text is cleared, so that the search for a mark skips them.
      return data.map((issue) =>
        issue.pull_request === undefined ? itemOf(issue) : { ...itemOf(issue), text: "" },
      );
    },
    fileIssue: async ({ title, text, labels }) => {
      const draft = { ...bounds, title, body: text, labels: [...labels] };
      return itemOf((await octokit.request("POST /repos/{owner}/{repo}/issues", draft)).data);
    },
    thread: ({ number }) => threadOf(client, number),
    merging: (number) => githubMerging(client, number),
    reviews: (pull) => githubReviews(client, pull),
    remarks: ({ number, thread }) => remarksOf(client, number, Number(thread)),
    pulls: async (branch) => {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls", {
        ...bounds,
        head: `${bounds.owner}:${branch}`,
        state: "all",
        per_page: ITEMS_A_PAGE,
      });
      return data.map((pull) => ({ ...itemOf(pull), isOpen: pull.state === "open" }));
    },
    openPull: async ({ title, text, base, branch }) => {
      const draft = { ...bounds, title, body: text, head: branch, base, draft: true };
      return itemOf((await octokit.request("POST /repos/{owner}/{repo}/pulls", draft)).data);
    },
  };
};

const threadOf = ({ octokit, bounds }: GitHubClient, number: number): IssueThread => {
  const on = { ...bounds, issue_number: number };
  return {
    url: async () =>
      (await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}", on)).data.html_url,
    find: async (mark) => {
      const asked = { ...on, since: sinceOf(mark).toISOString(), per_page: ITEMS_A_PAGE };
      const path = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
      const found = await findOnPages(
        async (page) => (await octokit.request(path, { ...asked, page })).data,
        ({ body }) => hasWriteMarker(body, mark),
      );
      return found?.html_url ?? null;
    },
    comment: async (text) => {
      const path = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
      return (await octokit.request(path, { ...on, body: text })).data.html_url;
    },
    label: async ({ add, remove }) => {
      const path = "/repos/{owner}/{repo}/issues/{issue_number}/labels";
      if (add.length > 0) await octokit.request(`POST ${path}`, { ...on, labels: [...add] });
      for (const name of remove)
        await octokit.request(`DELETE ${path}/{name}`, { ...on, name }).catch(unlessGone);
    },
  };
};

/** GitHub accepts answers only below the first comment of a thread. */
const remarksOf = (
  { octokit, bounds }: GitHubClient,
  number: number,
  thread: number,
): ReturnType<DeskClient["remarks"]> => {
  const on = { ...bounds, pull_number: number };
  return {
    find: async (mark) => {
      const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
      const asked = { ...on, since: sinceOf(mark).toISOString(), per_page: ITEMS_A_PAGE };
      const found = await findOnPages(
        async (page) => (await octokit.request(path, { ...asked, page })).data,
        ({ body }) => hasWriteMarker(body, mark),
      );
      return found?.html_url ?? null;
    },
    comment: async (text) => {
      const path = "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies";
      return (await octokit.request(path, { ...on, comment_id: thread, body: text })).data.html_url;
    },
  };
};

interface Written {
  readonly number: number;
  readonly html_url: string;
  readonly body?: string | null;
}

const itemOf = ({ number, html_url: url, body: text }: Written): Item => ({ number, url, text });

/** Ignores the error for a label that no longer exists. */
const unlessGone = (error: unknown): void => {
  if (!(error instanceof RequestError) || error.status !== 404) throw error;
};

export const isGithubRefusal = (error: unknown): boolean =>
  error instanceof RequestError && error.response !== undefined && error.status < 500;
