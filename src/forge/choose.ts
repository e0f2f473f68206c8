/** Which of the operator's credentials is used for a repository (the first that fits), and what is asked with it. */

import type { Repo } from "../ports/conversation.ts";
import type { Address } from "./address.ts";
import type {
  ApiCredential,
  Credential,
  DeployKey,
  GitHubCredential,
  GitLabCredential,
} from "./credentials.ts";
import type { ForgeHttp } from "./http.ts";

export interface Choice {
  readonly credentials: readonly Credential[];
  /** Whether a repository fits one of the patterns. */
  readonly fits: (patterns: readonly string[], repo: Repo) => boolean;
  /** For the forge's own logs: names of the software that asks. */
  readonly userAgent: string;
  /** Unset: this process's own, at the pace that forges ask for. */
  readonly wire?: ForgeHttp;
}

interface Chosen {
  /** For the forge's API, and for git where there is no key. */
  readonly api: ApiEntry | null;
  /** For git, before any token. */
  readonly key: DeployKey | null;
}

interface ApiEntry extends Credential {
  readonly access: ApiCredential;
}

/** However the repository is written (over https or ssh), it is the same one to the patterns. */
export const choose = ({ credentials, fits }: Choice, { host, owner, name }: Address): Chosen => {
  const repo: Repo = { kind: "url", location: `https://${host}/${owner}/${name}.git` };
  const fitting = credentials.filter(({ repos }) => fits(repos, repo));
  return {
    api: fitting.find(isForApi) ?? null,
    key: fitting.map(({ access }) => access).find((access) => access.kind === "deployKey") ?? null,
  };
};

export const isForApi = (entry: Credential): entry is ApiEntry => entry.access.kind !== "deployKey";

export const GITHUB = "github.com";

const apiOf = (credential: Credential | null, { host }: Address): string =>
  credential?.api ?? usualApi(credential, host);

const usualApi = (credential: Credential | null, host: string): string => {
  if (credential?.access.kind === "gitlabToken") return `https://${host}/api/v4`;
  return host === GITHUB ? "https://api.github.com" : `https://${host}/api/v3`;
};

/** Root of the git repositories. */
const rootOf = (credential: Credential | null, { host }: Address): string =>
  (credential?.git ?? `https://${host}`).replace(/\/+$/, "");

interface ApiAccess<C> {
  readonly address: Address;
  /** Root of the API, as in `https://api.github.com`. */
  readonly api: string;
  /** Root of the git repositories. */
  readonly root: string;
  readonly access: C;
  readonly userAgent: string;
  readonly wire: ForgeHttp;
}

/** Without a credential only what everybody may read, at the low rate of a stranger. */
export type GitHubAccess = ApiAccess<GitHubCredential | null>;
export type GitLabAccess = ApiAccess<GitLabCredential>;
export type ProjectAccess = GitHubAccess | GitLabAccess;

export const accessWith = (
  { userAgent, wire }: Required<Pick<Choice, "userAgent" | "wire">>,
  credential: ApiEntry | null,
  address: Address,
): ProjectAccess => {
  const access = credential?.access ?? null;
  const common = {
    address,
    api: apiOf(credential, address),
    root: rootOf(credential, address),
    userAgent,
    wire,
  };
  return access?.kind === "gitlabToken" ? { ...common, access } : { ...common, access };
};

export const isGitLab = (access: ProjectAccess): access is GitLabAccess =>
  access.access?.kind === "gitlabToken";
