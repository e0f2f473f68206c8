/**
 * Tests the rights of a GitHub token or app. A right is tested by a request that needs the right. If GitHub lists rights, the
 * list is read instead.
 */

import { RequestError } from "@octokit/request-error";
import type { Octokit } from "@octokit/core";
import { z } from "zod";
import type { Millis } from "../../../machine/id.ts";
import type { GitHubAccess } from "../api/access.ts";
import { createAppClient, createGithubClient } from "./client.ts";
import type { CredentialInspection, NeededRight } from "../api/inspection.ts";

/** Rights by GitHub's names for fine-grained tokens and apps. */
const READS = {
  "metadata=read": "anything at all",
  "contents=read": "cloning",
  "issues=read": "read_issue and search_issues",
  "pull_requests=read": "read_pull_request",
  "checks=read": "the results of checks in read_checks",
  "statuses=read": "commit statuses in read_checks",
  "actions=read": "the logs of failed jobs in read_checks",
} as const;
const WRITES = {
  "contents=write": "the branch of a pull request, and merge_pull_request",
  "issues=write": "file_issue, comment_on_issue and label_issue",
  "pull_requests=write": "open_pull_request",
} as const;

interface Asked {
  /** Whether the address is a real project; false if it stands for a pattern. */
  readonly isExact: boolean;
  readonly signal: AbortSignal;
}

/** Never rejects. */
export const inspectGitHub = async (access: GitHubAccess, asked: Asked): Promise<CredentialInspection> => {
  try {
    return await (access.access?.kind === "github-app" ? app(access, asked) : token(access, asked));
  } catch (error) {
    return troubleOf(error, access);
  }
};

const token = async (access: GitHubAccess, { isExact, signal }: Asked): Promise<CredentialInspection> => {
  const client = await createGithubClient(access)();
  const request = { signal };
  const { headers } = await client.request("GET /rate_limit", { request }).catch(unlimited);
  const expires = expiryIn(headers);
  const scopes = scopesIn(headers);
  if (scopes !== null) {
    const lacking = scopes.includes("repo") ? [] : [{ right: "repo", what: CLASSIC }];
    return { kind: "usable", expires, lacking, untried: null };
  }
  if (!isExact) return { kind: "usable", expires, lacking: [], untried: NO_PROJECT };
  const { owner, name: repo } = access.address;
  const { data } = await client.request("GET /repos/{owner}/{repo}", { owner, repo, request });
  const lacking = await lackingReads(client, { owner, repo, branch: data.default_branch, signal });
  return { kind: "usable", expires, lacking, untried: WRITES_UNTRIED };
};

/** An Enterprise server may have no rate limits. */
const unlimited = (error: unknown): { readonly headers: Headers } => {
  if (error instanceof RequestError && error.status === 404)
    return { headers: error.response?.headers ?? {} };
  throw error;
};

const CLASSIC = "private repositories: their issues, pull requests, clones and pushes";
const NO_PROJECT =
  "the rights were not tried, because neither the entry nor PARLEY_REPOS names an individual repository that the credential opens";
const WRITES_UNTRIED = `${Object.keys(WRITES).slice(1).join(" and ")} cannot be tried without writing; see the token's page`;

interface Place {
  readonly owner: string;
  readonly repo: string;
  readonly branch: string;
  readonly signal: AbortSignal;
}

/** Id of a job that does not exist: a client that may read logs gets 404, any other gets 403. */
const NO_JOB = 1;

/** Requests that only clients with the right may make. */
const TRIES: readonly (readonly [keyof typeof READS, string])[] = [
  ["issues=read", "issues?per_page=1"],
  ["pull_requests=read", "pulls?per_page=1"],
  ["checks=read", "commits/{ref}/check-runs?per_page=1"],
  ["statuses=read", "commits/{ref}/status"],
  ["actions=read", `actions/jobs/${NO_JOB}/logs`],
];

const lackingReads = async (
  client: Octokit,
  { owner, repo, branch: ref, signal }: Place,
): Promise<readonly NeededRight[]> => {
  const found: NeededRight[] = [];
  for (const [right, what] of TRIES) {
    const path = `/repos/{owner}/{repo}/${what.replace("{ref}", encodeURIComponent(ref))}`;
    const asked = client.request(`GET ${path}`, { owner, repo, request: { signal } });
    if (await isRefused(asked)) found.push({ right, what: READS[right] });
  }
  return found;
};

/** Whether the right is missing. Empty or missing content does not count as a refusal. */
const isRefused = async (asked: Promise<unknown>): Promise<boolean> => {
  try {
    await asked;
    return false;
  } catch (error) {
    if (!(error instanceof RequestError) || error.response === undefined || error.status === 401) throw error;
    return error.status === 403;
  }
};

const app = async (access: GitHubAccess, { isExact, signal }: Asked): Promise<CredentialInspection> => {
  const client = createAppClient(access);
  const { owner, name: repo } = access.address;
  const request = { signal };
  if (!isExact) {
    const { data } = await client.request("GET /app", { request });
    return usableWith(permissions.parse(data).permissions, NO_INSTALLATION);
  }
  const { data } = await client.request("GET /repos/{owner}/{repo}/installation", { owner, repo, request });
  return data.suspended_at === null
    ? usableWith(permissions.parse(data).permissions, null)
    : {
        kind: "refused",
        why: `the installation at ${owner} is suspended`,
        remedy: `Ask an administrator of ${owner} to lift the suspension under Settings, GitHub Apps.`,
      };
};

const NO_INSTALLATION =
  "the installation was not tried, because neither the entry nor PARLEY_REPOS names an individual repository that the credential opens";

const permissions = z.object({ permissions: z.record(z.string(), z.string()) });

const usableWith = (held: Readonly<Record<string, string>>, untried: string | null): CredentialInspection => {
  const lacking = Object.entries({ ...READS, ...WRITES }).flatMap(([right, what]) => {
    const [name = "", level] = right.split("=");
    const has = held[name] === "write" || held[name] === level;
    return has ? [] : [{ right, what }];
  });
  // Writing includes reading, so only the larger right is named.
  const named = lacking.filter(
    ({ right }) =>
      !right.endsWith("=read") || !lacking.some((other) => other.right === right.replace(/read$/, "write")),
  );
  return { kind: "usable", expires: null, lacking: named, untried };
};

type Headers = Readonly<Record<string, string | number | undefined>>;

/** The header looks like `2026-12-01 00:00:00 UTC`. */
const expiryIn = (headers: Headers): Millis | null => {
  const said = headers["github-authentication-token-expiration"];
  const at = typeof said === "string" ? Date.parse(said.replace(/ UTC$/, "Z").replace(" ", "T")) : Number.NaN;
  return Number.isNaN(at) ? null : at;
};

/** Scopes of a classic token; null for a token with permissions. */
const scopesIn = (headers: Headers): readonly string[] | null => {
  const said = headers["x-oauth-scopes"];
  return typeof said === "string" ? said.split(",").map((scope) => scope.trim()) : null;
};

const troubleOf = (error: unknown, { access, address, api }: GitHubAccess): CredentialInspection => {
  const host = new URL(api).host;
  if (!(error instanceof RequestError)) {
    return {
      kind: "refused",
      why: "the private key cannot be used",
      remedy: "Download a new private key from the app's page, and name the file in privateKeyFile.",
    };
  }
  if (error.response === undefined) return { kind: "unreached", why: `${host} cannot be reached` };
  if (error.status === 401) return refusedBy(host, access?.kind === "github-app");
  if (error.status === 404) {
    const project = `${address.owner}/${address.name}`;
    return access?.kind === "github-app"
      ? {
          kind: "refused",
          why: `the app is not installed at ${project}`,
          remedy: `Install the app there, or add ${address.name} to the repositories of the installation.`,
        }
      : {
          kind: "refused",
          why: `the token does not open ${project}, or the repository does not exist`,
          remedy: "Give the token access to the repository on the token's page, or correct the entry.",
        };
  }
  return { kind: "unreached", why: `${host} answers with status ${error.status}` };
};

const refusedBy = (host: string, isApp: boolean): CredentialInspection => ({
  kind: "refused",
  why: isApp
    ? `${host} knows no app with this id and key`
    : `${host} refuses the token: it has expired or was revoked`,
  remedy: isApp
    ? "Compare appId and the key with the app's page, and check the clock of this host."
    : "Create a new token, and put it into the file that PARLEY_FORGES names.",
});
