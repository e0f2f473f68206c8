/** One question to GitHub; whatever goes wrong becomes a sentence that says who can do what about it. */

import { z } from "zod";
import { RequestError } from "@octokit/request-error";
import type { Octokit } from "@octokit/core";
import type { Asked } from "../../ports/forge.ts";
import { projectName } from "../address.ts";
import { Perhaps, TooMuch } from "../once.ts";
import { isUntrustedHost, untrustedHost } from "../untrusted-host.ts";
import { inBrackets } from "../words.ts";
import type { GitHubAccess } from "./client.ts";

/** Names the project, and ends the request with the conversation's turn. */
export interface Bounds {
  readonly owner: string;
  readonly repo: string;
  readonly request: { readonly signal: AbortSignal };
}

/** What is asked for where it is the project itself. */
export const REPOSITORY = "repository";

/** `what` is what is asked for, as in `issue #12`. */
export type Ask = <T>(
  what: string,
  signal: AbortSignal,
  question: (client: Octokit, bounds: Bounds) => Promise<T>,
) => Promise<Asked<T>>;

/** `verb`: what the credential may not do, where the forge refuses it. */
export const createAsk = (access: GitHubAccess, verb: "read" | "write" = "read"): Ask => {
  const { owner, name } = access.address;
  let opened: (() => Promise<Octokit>) | null = null;
  // The client's library is large, and most hosts start without ever asking a forge.
  const client = async (): Promise<Octokit> => {
    opened ??= (await import("./client.ts")).createClient(access);
    return opened();
  };
  return async (what, signal, question) => {
    try {
      const value = await question(await client(), { owner, repo: name, request: { signal } });
      return { kind: "found", value };
    } catch (error) {
      const isPerhaps = error instanceof Perhaps;
      const cause = isPerhaps ? error.cause : error;
      const why = signal.aborted ? "The request was cancelled." : reasonOf(cause, { what, verb }, access);
      return { kind: "trouble", why, ...(isPerhaps ? { perhaps: true } : {}) };
    }
  };
};

interface Question {
  readonly what: string;
  readonly verb: "read" | "write";
}

const reasonOf = (error: unknown, { what, verb }: Question, access: GitHubAccess): string => {
  const project = projectName(access.address);
  const { host } = access.address;
  if (error instanceof TooMuch) return `There is too much in ${project} to look through.`;
  if (!(error instanceof RequestError)) {
    return `The credential for ${project} cannot be used. The operator should check the entry in the file that PARLEY_FORGES names.`;
  }
  if (error.response === undefined) {
    return isUntrustedHost(error) ? untrustedHost(host) : `${host} cannot be reached; try again later.`;
  }
  const { headers } = error.response;
  const limit = limitOf(error.status, headers);
  if (limit !== null) return `${host} limits how often Parley may ask; ${limit}.`;
  switch (error.status) {
    case 401:
      return `${host} refuses Parley's credential for ${project}: the operator must renew it.`;
    case 403:
      return `Parley's credential may not ${verb} this in ${project}${missing(headers)}.`;
    case 404:
    case 410:
      return access.access === null
        ? `There is no ${placed(what, project)} that everybody may read, and Parley has no credential for it.`
        : `There is no ${placed(what, project)} that Parley's credential may ${verb}.`;
    case 422:
      return verb === "read"
        ? `${host} does not understand the request for ${what}${saidBy(error)}.`
        : `${project} does not take it${saidBy(error)}.`;
    default:
      return `${host} does not answer as it should (status ${error.status}); try again later.`;
  }
};

const placed = (what: string, project: string): string =>
  what === REPOSITORY ? `repository ${project}` : `${what} in ${project}`;

const said = z.object({
  message: z.string().optional(),
  errors: z.array(z.union([z.string(), z.object({ message: z.string().optional() })])).optional(),
});

/** What the forge has against it, in its own words. */
const saidBy = (error: RequestError): string => {
  const { message, errors = [] } = said.safeParse(error.response?.data).data ?? {};
  const all = [message, ...errors.map((one) => (typeof one === "string" ? one : one.message))];
  return inBrackets(all.filter((one) => one !== undefined && one !== "").join("; "));
};

type Headers = Readonly<Record<string, string | number | undefined>>;

/** When to ask again, where the refusal is a rate limit. */
const limitOf = (status: number, headers: Headers): string | null => {
  if (status !== 403 && status !== 429) return null;
  const after = Number(headers["retry-after"]);
  if (Number.isFinite(after)) return `try again in ${after} s`;
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    const at = new Date(Number(headers["x-ratelimit-reset"]) * 1000);
    return Number.isNaN(at.getTime()) ? "try again later" : `try again after ${at.toISOString()}`;
  }
  return status === 429 ? "try again later" : null;
};

/** The permission that the forge asks for: fine-grained tokens and apps first, then classic scopes. */
const missing = (headers: Headers): string => {
  const named = headers["x-accepted-github-permissions"] ?? headers["x-accepted-oauth-scopes"];
  return named === undefined || named === "" ? "" : `; it lacks ${named}`;
};
