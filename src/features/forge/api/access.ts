import type { Address } from "../../../ports/address.ts";
import type { GitHubCredential, GitLabCredential } from "./credentials.ts";
import type { ForgeHttp } from "./http.ts";

interface ApiAccess<C> {
  readonly address: Address;
  /** Root of the API, such as `https://api.github.com`. */
  readonly api: string;
  readonly root: string;
  readonly access: C;
  readonly userAgent: string;
  readonly wire: ForgeHttp;
  /** The account of a person whose token the access has; absent for the operator's credential. */
  readonly account?: string;
}

/** Null means that there is no credential: only public content can be read, at the low rate limit for anonymous clients. */
export type GitHubAccess = ApiAccess<GitHubCredential | null>;
export type GitLabAccess = ApiAccess<GitLabCredential>;
export type ProjectAccess = GitHubAccess | GitLabAccess;

export const isGitLab = (access: ProjectAccess): access is GitLabAccess =>
  access.access?.kind === "gitlab-token";
