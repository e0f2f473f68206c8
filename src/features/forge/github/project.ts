import { RequestError } from "@octokit/request-error";
import type { IssueHit, Issue, Pull, PullFile, Comment, Review, SearchState } from "../ports/project.ts";
import type { WritableProject } from "../ports/forge-writer.ts";
import { projectName } from "../../../ports/address.ts";
import type { GitHubAccess } from "../api/access.ts";
import { createForgeWriter } from "../api/forge-writer.ts";
import { askGitHub, type GitHubClient } from "./ask.ts";
import { readGithubChecks } from "./checks.ts";
import type { RemoteAccess } from "../api/remote.ts";
import { githubDesk, isGithubRefusal } from "./desk.ts";
import { gather, leftOf, ITEMS_A_PAGE } from "../api/gather.ts";
import { pagedBy } from "./paged.ts";
import { gatherLineComments, gatherReviews } from "./remarks.ts";
import { textIn } from "../api/text-in.ts";
import { githubTended } from "./tended.ts";

/** Comments per page, and hits per search. */
const COMMENTS = 30;
const HITS = 20;

/** The project is read-only without a credential. */
export const createGitHubProject = (access: GitHubAccess, git: RemoteAccess): WritableProject => {
  const ask = askGitHub(access, "read");
  const write = askGitHub(access, "write");
  const { owner, name, host } = access.address;
  return {
    name: projectName(access.address),
    host,
    kind: "github",
    pullSign: "#",
    desk:
      access.access === null
        ? null
        : createForgeWriter({
            address: access.address,
            git,
            pullSign: "#",
            mayRequestChanges: true,
            ask: (what, signal, question) => write(what, signal, (client) => question(githubDesk(client))),
            isRefusal: isGithubRefusal,
          }),
    issue: (number, page, signal) =>
      ask(`issue #${number}`, signal, async ({ octokit, bounds }) => {
        const [{ data: issue }, { data: comments }] = await Promise.all([
          octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}", {
            ...bounds,
            issue_number: number,
          }),
          octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
            ...bounds,
            issue_number: number,
            page,
            per_page: COMMENTS,
          }),
        ]);
        return {
          ...headOf(issue),
          ...byWhom(issue),
          labels: issue.labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
          comments: comments.map(byWhom),
          commentsInAll: issue.comments,
        } satisfies Issue;
      }),
    search: (query, state, signal) =>
      ask("search result", signal, async ({ octokit, bounds: { request } }) => {
        const { data } = await octokit.request("GET /search/issues", {
          q: searchFor(query, `${owner}/${name}`, state),
          per_page: HITS,
          advanced_search: "true",
          request,
        });
        const hits = data.items.map((item): IssueHit => ({ ...headOf(item), ...byWhom(item) }));
        return { inAll: data.total_count, hits };
      }),
    pull: (number, signal) => ask(`pull request #${number}`, signal, readPull(number)),
    checks: (ref, signal, read) =>
      ask(`commit or branch ${ref.slice(0, 80)}`, signal, readGithubChecks(ref, read)),
    commit: (sha, signal) =>
      ask(`commit ${sha}`, signal, async ({ octokit, bounds }) => {
        const path = "GET /repos/{owner}/{repo}/commits/{ref}";
        const { data } = await octokit.request(path, { ...bounds, ref: sha });
        const { commit, author, files = [] } = data;
        return {
          sha: data.sha,
          author: author?.login ?? commit.author?.name ?? "unknown",
          at: Date.parse(commit.author?.date ?? ""),
          text: commit.message,
          filesInAll: files.length,
          files: files.map(pullFileOf),
        };
      }),
    file: (ref, path, signal) =>
      ask(`file ${path.slice(0, 200)} at ${ref.slice(0, 80)}`, signal, async ({ octokit, bounds }) => {
        const { data } = await octokit.request("GET /repos/{owner}/{repo}/contents/{path}", {
          ...bounds,
          path,
          ref,
        });
        const isFile = !Array.isArray(data) && data.type === "file" && data.encoding === "base64";
        return { ref, path, host, text: isFile ? textIn(data.content) : null };
      }),
    ...githubTended(ask),
    folder: (ref, path, signal) =>
      ask(`folder ${path.slice(0, 200)}`, signal, async ({ octokit, bounds }) => {
        const asked = { ...bounds, path, ref };
        const { data } = await octokit
          .request("GET /repos/{owner}/{repo}/contents/{path}", asked)
          .catch(unlessUnreadable);
        if (!Array.isArray(data)) return [];
        return data.map(({ name: entry, type }) => ({ name: entry, isFolder: type === "dir" }));
      }),
    similar: (words, signal) =>
      ask("search result", signal, async ({ octokit, bounds: { request } }) => {
        const { data } = await octokit.request("GET /search/issues", {
          q: `(${words.slice(0, MOST_WORDS).map(quoteOperator).join(" OR ")}) repo:${owner}/${name} is:issue in:title`,
          per_page: SIMILAR,
          advanced_search: "true",
          request,
        });
        return data.items.map((item) => ({
          ...headOf(item),
          ...byWhom(item),
          closedAt: item.closed_at === null ? null : Date.parse(item.closed_at),
        }));
      }),
  };
};

/** GitHub refuses a search with more than five operators. */
const MOST_WORDS = 6;
const SIMILAR = 30;

/** GitHub would read these words as operators. */
const quoteOperator = (word: string): string => (/^(?:AND|OR|NOT)$/i.test(word) ? `"${word}"` : word);

/** A missing right to read files looks like a repository without the folder. */
const unlessUnreadable = (error: unknown): { readonly data: null } => {
  if (error instanceof RequestError && [403, 404].includes(error.status) && !isLimited(error))
    return { data: null };
  throw error;
};

const isLimited = ({ response }: RequestError): boolean =>
  response?.headers["retry-after"] !== undefined || response?.headers["x-ratelimit-remaining"] === "0";

interface Headed extends Posted {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly html_url: string;
  readonly pull_request?: object;
}

const headOf = (issue: Headed): Pick<IssueHit, "number" | "title" | "state" | "isPull" | "url"> => ({
  number: issue.number,
  title: issue.title,
  state: issue.state,
  isPull: issue.pull_request !== undefined,
  url: issue.html_url,
});

/**
 * Quotes operators and words that look like qualifiers (`repo:`, `org:`, …), because a qualifier would reach
 * beyond the project.
 */
const searchFor = (query: string, project: string, state: SearchState): string => {
  const words = query
    .replaceAll(/["()\\]/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => (/^-|:|^(AND|OR|NOT)$/.test(word) ? `"${word}"` : word));
  return [...words, `repo:${project}`, ...(state === "all" ? [] : [`state:${state}`])].join(" ");
};

/** Maximum number of pages of files. */
const MAX_PAGES = 5;

const readPull =
  (number: number) =>
  async (client: GitHubClient): Promise<Pull> => {
    const { octokit, bounds } = client;
    const named = { ...bounds, pull_number: number };
    const [{ data: pull }, files, reviews, remarks] = await Promise.all([
      octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", named),
      gather(async (page) => {
        const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/files";
        const { data, headers } = await octokit.request(path, { ...named, per_page: ITEMS_A_PAGE, page });
        return { ...pagedBy(headers), items: data };
      }, MAX_PAGES),
      gatherReviews(client, number),
      gatherLineComments(client, number),
    ]);
    return {
      ...byWhom(pull),
      number: pull.number,
      title: pull.title,
      state: stateOf(pull),
      url: pull.html_url,
      base: pull.base.ref,
      head: pull.head.ref,
      headCommit: pull.head.sha,
      fork: forkOf(pull.base.repo.full_name, pull.head.repo?.full_name),
      added: pull.additions,
      removed: pull.deletions,
      filesInAll: pull.changed_files,
      files: files.items.map(pullFileOf),
      reviewsLeft: leftOf(reviews, remarks),
      reviews: [
        ...reviews.items.map(
          (review): Review => ({
            ...byWhom(review),
            on: review.state.toLowerCase().replaceAll("_", " "),
          }),
        ),
        ...remarks.items.map(
          (remark): Review => ({
            ...byWhom(remark),
            on: `${remark.path}:${remark.line ?? remark.original_line ?? "?"}`,
          }),
        ),
      ],
    };
  };

interface ChangedFile {
  readonly filename: string;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  readonly patch?: string;
}

const pullFileOf = (file: ChangedFile): PullFile => ({
  path: file.filename,
  status: file.status,
  added: file.additions,
  removed: file.deletions,
  patch: file.patch ?? null,
});

const stateOf = (pull: { readonly state: string; readonly merged: boolean; readonly draft?: boolean }) =>
  pull.merged ? "merged" : pull.draft === true && pull.state === "open" ? "draft" : pull.state;

/** A head without a repository counts as a fork, because its owner is unknown. */
const forkOf = (base: string, head: string | undefined): string | null =>
  head === base ? null : (head ?? "a deleted fork");

/** Author and time of a text. */
interface Posted {
  readonly user?: { readonly login?: string } | null;
  readonly created_at?: string;
  readonly submitted_at?: string;
  readonly body?: string | null;
}

const byWhom = (posted: Posted): Comment => ({
  author: posted.user?.login ?? "ghost",
  at: Date.parse(posted.created_at ?? posted.submitted_at ?? ""),
  text: posted.body ?? "",
});
