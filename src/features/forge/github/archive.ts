/** Texts of a GitHub project besides code: issues with comments, releases, discussions. */

import { RequestError } from "@octokit/request-error";
import type { ForgeArchive, ForgeSourceKind, ArchivedText } from "../../../ports/forge-archive.ts";
import { pathIn, projectName } from "../../../ports/address.ts";
import { type Cursor, type List, type ListPage, readLists } from "../api/archive-cursor.ts";
import type { GitHubAccess } from "../api/access.ts";
import { askGitHub, type GitHubClient } from "./ask.ts";
import { readDiscussions } from "./discussions.ts";

const PAGE = 100;
/** Share of the hourly rate limit that is left for people. */
const SPARED = 0.2;

export const createGitHubArchive = (access: GitHubAccess): ForgeArchive => {
  const ask = askGitHub(access, "read");
  const name = projectName(access.address);
  return {
    name,
    lacks: (what) => {
      if (what === "wiki") return NO_WIKI;
      return what === "discussions" && access.access === null
        ? `Discussions of ${name} are told only to a credential: the operator adds one to the file of PARLEY_FORGES.`
        : null;
    },
    holds: (what, asked) => pathIn(access.address, asked)?.startsWith(`${what}/`) === true,
    read: (what, from, signal) => ask(what, signal, (client) => readerOf(what)(client, from)),
  };
};

const NO_WIKI =
  "GitHub gives its wikis to git alone. Add the pages as a site where they are published elsewhere, or have them as issues or discussions.";

const readerOf = (what: ForgeSourceKind): ReturnType<typeof readLists<GitHubClient>> =>
  what === "issues"
    ? readLists([issues, comments])
    : what === "releases"
      ? readLists([releases])
      : readDiscussions;

type Headers = Readonly<Record<string, string | number | undefined>>;
interface Conditions {
  readonly headers?: { readonly "if-none-match": string };
}

/** A list that returns null if its ETag is unchanged. */
const listOf =
  (
    ask: (
      client: GitHubClient,
      cursor: Cursor,
      conditions: Conditions,
    ) => Promise<Pick<ListPage, "leaves" | "size" | "last"> & { readonly headers: Headers }>,
  ): List<GitHubClient> =>
  async (client, cursor) => {
    const conditions = cursor.tag === null ? {} : { headers: { "if-none-match": cursor.tag } };
    const listed = await ask(client, cursor, conditions).catch(unlessSame);
    if (listed === null) return null;
    const { headers, ...page } = listed;
    const tag = headers["etag"] === undefined ? null : String(headers["etag"]);
    return { ...page, most: PAGE, tag, rest: restOf(headers) };
  };

const unlessSame = (error: unknown): null => {
  if (error instanceof RequestError && error.status === 304) return null;
  throw error;
};

const restOf = (headers: Headers): number | null => {
  const [left, all, until] = ["remaining", "limit", "reset"].map((one) =>
    Number(headers[`x-ratelimit-${one}`]),
  );
  const isLow = left !== undefined && all !== undefined && left < all * SPARED;
  return isLow && until !== undefined && Number.isFinite(until) ? until * 1_000 : null;
};

/** Oldest change first, so that changes during the read appear at the end. */
const inOrder = ({ since, page }: Cursor) => ({
  sort: "updated" as const,
  direction: "asc" as const,
  per_page: PAGE,
  page,
  ...(since === null ? {} : { since }),
});

const issues = listOf(async ({ octokit, bounds }, cursor, conditions) => {
  const { data, headers } = await octokit.request("GET /repos/{owner}/{repo}/issues", {
    ...bounds,
    ...conditions,
    ...inOrder(cursor),
    state: "all",
  });
  const leaves = data
    .filter((one) => one.pull_request === undefined)
    .map(
      (one): ArchivedText => ({
        key: `${one.number}`,
        address: one.html_url,
        title: one.title,
        text: one.body ?? "",
        state: one.state_reason === "not_planned" ? "closed as not planned" : one.state,
        version: one.milestone?.title ?? null,
        at: Date.parse(one.updated_at),
      }),
    );
  return { leaves, size: data.length, last: data.at(-1)?.updated_at ?? null, headers };
});

/** Comments on issues, without comments by bots. Comments on pull requests are skipped. */
const comments = listOf(async ({ octokit, bounds }, cursor, conditions) => {
  const { data, headers } = await octokit.request("GET /repos/{owner}/{repo}/issues/comments", {
    ...bounds,
    ...conditions,
    ...inOrder(cursor),
  });
  const leaves = data.flatMap((one): readonly ArchivedText[] => {
    const number = /\/issues\/(\d+)$/.exec(one.issue_url)?.[1];
    const isOfIssue = number !== undefined && one.html_url.includes("/issues/") && one.user?.type !== "Bot";
    return isOfIssue
      ? [
          {
            key: `${number} ${one.id}`,
            of: number,
            address: one.html_url,
            title: `#${number}`,
            text: one.body ?? "",
            at: Date.parse(one.updated_at),
          },
        ]
      : [];
  });
  return { leaves, size: data.length, last: data.at(-1)?.updated_at ?? null, headers };
});

const releases = listOf(async ({ octokit, bounds }, { page }, conditions) => {
  const { data, headers } = await octokit.request("GET /repos/{owner}/{repo}/releases", {
    ...bounds,
    ...conditions,
    per_page: PAGE,
    page,
  });
  const leaves = data
    .filter(({ draft }) => !draft)
    .map(
      (one): ArchivedText => ({
        key: `${one.id}`,
        address: one.html_url,
        title: one.name ?? one.tag_name,
        text: one.body ?? "",
        state: one.prerelease ? "prerelease" : "release",
        version: one.tag_name,
        at: Date.parse(one.published_at ?? one.created_at),
      }),
    );
  return { leaves, size: data.length, last: null, headers };
});
