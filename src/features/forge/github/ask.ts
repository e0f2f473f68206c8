/** Queries to GitHub, and the meaning of its refusals. */

import type { Octokit } from "@octokit/core";
import { RequestError } from "@octokit/request-error";
import { z } from "zod";
import { listOf } from "../../../text/list-of.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { projectName } from "../../../ports/address.ts";
import { TooMuch } from "../api/idempotent.ts";
import type { GitHubAccess } from "../api/access.ts";
import {
  type ForgeQuery,
  createAsk,
  inBrackets,
  type RateLimit,
  type QueryPurpose,
  tooMuchIn,
  unansweredForge,
} from "../api/ask.ts";

/** Fields of every request: the project's name and the abort signal of the turn. */
interface Bounds {
  readonly owner: string;
  readonly repo: string;
  readonly request: { readonly signal: AbortSignal };
}

export interface GitHubClient extends Pick<GitHubAccess, "api" | "wire"> {
  readonly octokit: Octokit;
  readonly bounds: Bounds;
}

export const askGitHub = (access: GitHubAccess, verb: QueryPurpose["verb"]): ForgeQuery<GitHubClient> => {
  const { address } = access;
  const { owner, name: repo } = address;
  let opened: (() => Promise<Octokit>) | null = null;
  return createAsk(
    {
      address,
      isStranger: access.access === null,
      noun: "repository",
      ...omitUndefined({ account: access.account }),
      open: async (signal) => {
        // Loaded on demand: the client's library is large, and most hosts start without a query to a forge.
        opened ??= (await import("./client.ts")).createGithubClient(access);
        const { api, wire } = access;
        return { octokit: await opened(), bounds: { owner, repo, request: { signal } }, api, wire };
      },
      read: (error) => {
        if (!(error instanceof RequestError)) {
          return `The credential for ${projectName(address)} cannot be used. The operator should check the entry in the file that PARLEY_FORGES names.`;
        }
        if (error.cause instanceof TooMuch) return tooMuchIn(address);
        if (error.response === undefined) return unansweredForge(error, address);
        const { status, response } = error;
        const { headers } = response;
        const said = saidBy(response.data);
        // GitHub names the request's right even if the refusal has another cause.
        const lacking = OTHER_REASONS.test(said) ? "" : missing(headers);
        return { status, limit: limitOf(status, headers, said), lacking, said };
      },
    },
    verb,
  );
};

const worded = z.object({
  message: z.string().optional(),
  errors: z
    .unknown()
    .transform(listOf(z.union([z.string(), z.object({ message: z.string().optional() })])))
    .optional(),
});

const saidBy = (data: unknown): string => {
  const { message, errors = [] } = worded.safeParse(data).data ?? {};
  const all = [message, ...errors.map((one) => (typeof one === "string" ? one : one.message))];
  return inBrackets(all.filter((one) => one !== undefined && one !== "").join("; "));
};

type Headers = Readonly<Record<string, string | number | undefined>>;

/** Words in a 403 answer that show another cause than a missing right. */
const OTHER_REASONS =
  /\b(?:SAML|SSO|IP allow list|suspended|blocked|disabled|billing|two-factor|archived)\b/i;

const limitOf = (status: number, headers: Headers, said: string): RateLimit | null => {
  if (status !== 403 && status !== 429) return null;
  const after = Number(headers["retry-after"]);
  if (Number.isFinite(after)) return { when: `try again in ${after} s`, wait: after * 1000 };
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    const at = new Date(Number(headers["x-ratelimit-reset"]) * 1000);
    return Number.isNaN(at.getTime())
      ? LATER
      : { when: `try again after ${at.toISOString()}`, wait: at.getTime() - Date.now() };
  }
  return status === 429 || /secondary rate limit|abuse detection/i.test(said) ? LATER : null;
};

const LATER: RateLimit = { when: "try again later", wait: null };

/**
 * The missing permission in the forge's terms: for fine-grained tokens and apps, or otherwise classic scopes.
 */
const missing = (headers: Headers): string => {
  const named = headers["x-accepted-github-permissions"] ?? headers["x-accepted-oauth-scopes"];
  return named === undefined || named === "" ? "" : `; it lacks ${named}`;
};
