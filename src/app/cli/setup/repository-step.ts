/** Finds the repositories that Parley works on: folders, addresses, or what a GitHub token can read. Setup tries them with git. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { Repo } from "../../../ports/conversation.ts";
import type { CheckedInput, SetupAsker } from "../../../ports/platform-setup.ts";
import { createRepos, entryProblem } from "../../../runtime/channels/repos.ts";
import { findDefaultRepo } from "../../settings/default-repo.ts";
import { GITHUB_TOKEN } from "./setup-options.ts";
import { sentenceOf } from "./setup-stopped.ts";

export interface RepositoryStepDeps {
  readonly asker: SetupAsker;
  readonly given: (name: string) => string | null;
  /** Value in force without the answers; null if unset. */
  readonly inForce: (name: string) => string | null;
  /** Folder in which the person started the command. */
  readonly startedIn: string;
  /** Root of GitHub's API. */
  readonly api?: string;
  /** Time limit of a request, in milliseconds. */
  readonly limit: number;
}

export interface ChosenRepositories {
  readonly settings: Readonly<Record<string, string>>;
  /** Repository of a channel; null if none is named exactly. */
  readonly first: { readonly name: string; readonly repo: Repo } | null;
  /** Token that the repositories need; null if they can be read without. */
  readonly token: { readonly token: string; readonly entries: readonly string[] } | null;
}

export const repositoryStep = async (deps: RepositoryStepDeps): Promise<ChosenRepositories> => {
  const { asker, given, startedIn } = deps;
  const seen: Listing = { token: given(GITHUB_TOKEN), names: [] };
  const usual = deps.inForce("PARLEY_REPO") ?? findDefaultRepo(undefined, startedIn)?.location ?? null;
  return asker.ask({
    name: "PARLEY_REPOS",
    text: "Repositories (folder, address, owner/name, owner/*, a GitHub token, or none; comma-separated)",
    ...(usual === null ? {} : { fallback: usual }),
    check: (text) => checkRepositories(text, deps, seen),
  });
};

/** Repositories that a pasted token can read. */
interface Listing {
  token: string | null;
  names: readonly string[];
}

type Checked = CheckedInput<ChosenRepositories>;

const TOKEN = /^(?:gh[pousr]_|github_pat_)\w+$/;

const checkRepositories = async (text: string, deps: RepositoryStepDeps, seen: Listing): Promise<Checked> => {
  if (/^none$/i.test(text)) return { kind: "valid", value: { settings: {}, first: null, token: null } };
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  const token = parts.find((part) => TOKEN.test(part));
  if (token !== undefined) {
    const listed = await namesOf(token, deps);
    if (typeof listed === "string") return refused(listed);
    seen.token = token;
    seen.names = listed;
  }
  const words = parts.filter((part) => part !== token);
  if (words.length === 0) return refused(listText(seen.names, ""));
  const entries: string[] = [];
  for (const word of words) {
    const entry = await entryOf(word, seen, deps);
    if (entry.kind === "refused") return entry;
    entries.push(entry.value);
  }
  return chosen(entries, seen.token, deps);
};

const refused = (why: string) => ({ kind: "refused", why }) as const;

const MOST_LISTED = 20;

const listText = (names: readonly string[], word: string): string => {
  const fitting = names.filter((name) => name.toLowerCase().includes(word.toLowerCase()));
  const lines = fitting.slice(0, MOST_LISTED).map((name) => `  ${names.indexOf(name) + 1}) ${name}`);
  const rest = fitting.length - lines.length;
  const more = rest > 0 ? `${rest} more fit; enter a part of the name to search. ` : "";
  return fitting.length === 0
    ? "The token can read no such repository. Give it access on GitHub, or enter another one."
    : [...lines, `${more}Enter numbers or names.`].join("\n");
};

/** Entry of PARLEY_REPOS. */
const entryOf = async (
  word: string,
  seen: Listing,
  deps: RepositoryStepDeps,
): Promise<CheckedInput<string>> => {
  const numbered = /^\d{1,4}$/.test(word) ? seen.names[Number(word) - 1] : undefined;
  if (numbered !== undefined) return { kind: "valid", value: numbered };
  if (/^[./~]/.test(word)) return pathEntry(word, deps);
  const entry = plainEntry(word);
  if (entryProblem(entry) !== null) {
    if (seen.names.length > 0 && /^[\w.-]+$/.test(word)) return refused(listText(seen.names, word));
    return existsSync(resolve(deps.startedIn, word))
      ? pathEntry(word, deps)
      : refused(`${word} is no repository. Enter a folder, an https address, owner/name or owner/*.`);
  }
  return { kind: "valid", value: entry };
};

const plainEntry = (word: string): string =>
  word
    .replace(/^(?:ssh:\/\/)?git@([^/:]+)[:/]/, "$1/")
    .replace(/^https:\/\/(?:[^/@]*@)?/, "")
    .replace(/^github\.com\//, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");

const run = promisify(execFile);

const pathEntry = async (
  word: string,
  { startedIn, limit }: RepositoryStepDeps,
): Promise<CheckedInput<string>> => {
  const path = word.startsWith("~/") ? join(homedir(), word.slice(2)) : resolve(startedIn, word);
  if (!existsSync(path))
    return refused(`${path} does not exist. Correct the path, or clone the repository there first.`);
  if (path.includes(","))
    return refused(`${path} contains a comma, which separates repositories. Rename the folder.`);
  try {
    const { stdout } = await run("git", ["-C", path, "rev-parse", "--show-toplevel"], { timeout: limit });
    return { kind: "valid", value: stdout.trim() };
  } catch (cause) {
    const why = errorText(cause);
    if (/dubious ownership/.test(why)) {
      return refused(
        `${path} belongs to another user. Run: git config --global --add safe.directory ${path}`,
      );
    }
    if (/ENOENT/.test(why)) return refused("git is not installed. Install git and run setup again.");
    return refused(`${path} is no git work tree. Run git init there, or enter another folder.`);
  }
};

const errorText = (cause: unknown): string => {
  const { stderr } = z.object({ stderr: z.string() }).catch({ stderr: "" }).parse(cause);
  return `${sentenceOf(cause)}\n${stderr}`;
};

const chosen = async (
  entries: readonly string[],
  token: string | null,
  deps: RepositoryStepDeps,
): Promise<Checked> => {
  const repos = createRepos(entries);
  const exact = entries.filter((entry) => !entry.includes("*"));
  const named = exact.flatMap((entry) => {
    const found = repos.resolve(entry);
    return found.kind === "repo" ? [found] : [];
  });
  let needsToken = entries.length > exact.length;
  for (const { name, repo } of named) {
    if (repo.kind === "path") continue;
    const tried = await tryRemote(repo.location, name, token, deps);
    if (tried.kind === "refused") return tried;
    needsToken ||= tried.withToken;
  }
  const [first] = named;
  return {
    kind: "valid",
    value: {
      settings: {
        PARLEY_REPOS: entries.join(","),
        ...(first === undefined ? {} : { PARLEY_REPO: first.repo.location }),
      },
      first: first ?? null,
      token:
        token !== null && needsToken
          ? { token, entries: entries.filter((entry) => !entry.startsWith("/")) }
          : null,
    },
  };
};

type Tried = { readonly kind: "readable"; readonly withToken: boolean } | ReturnType<typeof refused>;

const tryRemote = async (
  url: string,
  name: string,
  token: string | null,
  { limit, inForce }: RepositoryStepDeps,
): Promise<Tried> => {
  const open = await remoteProblem(url, null, limit);
  if (open === null) return { kind: "readable", withToken: false };
  const usable = token !== null && new URL(url).hostname === GITHUB_HOST ? token : null;
  if (usable !== null && (await remoteProblem(url, usable, limit)) === null)
    return { kind: "readable", withToken: true };
  // The credentials of that file are the doctor's to try.
  if (inForce("PARLEY_FORGES") !== null) return { kind: "readable", withToken: false };
  if (open === "unreachable")
    return refused(
      `${new URL(url).host} cannot be reached. Check this machine's network and run setup again.`,
    );
  const remedy = usable === null ? "paste a GitHub token that can read it" : "give the token access to it";
  return refused(`${name} does not exist, or is private. Correct the name, or ${remedy}.`);
};

const GITHUB_HOST = "github.com";

/** Null if git lists the branches. */
const remoteProblem = async (
  url: string,
  token: string | null,
  limit: number,
): Promise<"unreachable" | "refused" | null> => {
  const header =
    token === null
      ? {}
      : {
          GIT_CONFIG_COUNT: "1",
          GIT_CONFIG_KEY_0: "http.extraHeader",
          GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`,
        };
  const env = { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "true", ...header };
  try {
    await run("git", ["ls-remote", "--heads", url], { timeout: limit, env, maxBuffer: MOST_REFS });
    return null;
  } catch (cause) {
    const why = errorText(cause);
    return /could not resolve|failed to connect|couldn't connect|timed out|connection refused|SIGTERM/i.test(
      why,
    )
      ? "unreachable"
      : "refused";
  }
};

const MOST_REFS = 64 * 1024 * 1024;

const repositoryList = z.array(z.object({ full_name: z.string() }));

/** A string says why the token lists nothing. */
const namesOf = async (
  token: string,
  { api = "https://api.github.com", limit }: RepositoryStepDeps,
): Promise<readonly string[] | string> => {
  try {
    const answer = await fetch(`${api}/user/repos?per_page=100&sort=pushed`, {
      headers: { accept: "application/vnd.github+json", authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(limit),
    });
    if (answer.status === 401)
      return "GitHub refuses this token: it is mistyped, expired or revoked. Create another one.";
    if (!answer.ok)
      return `GitHub answers ${answer.status} to this token. Create one with read access to contents.`;
    return repositoryList.parse(await answer.json()).map(({ full_name: name }) => name);
  } catch {
    return `GitHub cannot be reached at ${api}. Check this machine's network and run setup again.`;
  }
};
