/** A GitHub repository as its conversation may read it. */

import type { Hit, Issue, SearchState } from "../../ports/forge.ts";
import type { WritableProject } from "../../ports/desk.ts";
import { projectName } from "../address.ts";
import type { GitHubAccess } from "../access.ts";
import { createDesk } from "../desk.ts";
import { askGitHub } from "./ask.ts";
import { readChecks } from "./checks.ts";
import type { RemoteAccess } from "../remote.ts";
import { githubDesk, isRefusal } from "./desk.ts";
import { byWhom, type Posted, readPull } from "./pull.ts";

/** Comments of one page, and hits of a search. */
const PAGE = 30;
const HITS = 20;

/** Without a credential it is only read. */
export const createGitHubProject = (access: GitHubAccess, git: RemoteAccess): WritableProject => {
  const ask = askGitHub(access, "read");
  const write = askGitHub(access, "write");
  const { owner, name, host } = access.address;
  return {
    name: projectName(access.address),
    host,
    pullSign: "#",
    desk:
      access.access === null
        ? null
        : createDesk({
            address: access.address,
            git,
            pullSign: "#",
            ask: (what, signal, question) => write(what, signal, (client) => question(githubDesk(client))),
            isRefusal,
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
            per_page: PAGE,
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
        const hits = data.items.map((item): Hit => ({ ...headOf(item), ...byWhom(item) }));
        return { inAll: data.total_count, hits };
      }),
    pull: (number, signal) => ask(`pull request #${number}`, signal, readPull(number)),
    checks: (ref, signal) => ask(`commit or branch ${ref.slice(0, 80)}`, signal, readChecks(ref)),
  };
};

interface Headed extends Posted {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly html_url: string;
  readonly pull_request?: object;
}

const headOf = (issue: Headed): Pick<Hit, "number" | "title" | "state" | "isPull" | "url"> => ({
  number: issue.number,
  title: issue.title,
  state: issue.state,
  isPull: issue.pull_request !== undefined,
  url: issue.html_url,
});

/**
 * The words as words: a qualifier in them (`repo:`, `org:`, …) would reach beyond the project, so what looks like one
 * is quoted, and so are the operators.
 */
const searchFor = (query: string, project: string, state: SearchState): string => {
  const words = query
    .replaceAll(/["()\\]/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => (/^-|:|^(AND|OR|NOT)$/.test(word) ? `"${word}"` : word));
  return [...words, `repo:${project}`, ...(state === "all" ? [] : [`state:${state}`])].join(" ");
};
