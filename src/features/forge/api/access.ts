/** With what a project of a forge is asked. */

import type { Address } from "../../../ports/address.ts";
import type { GitHubCredential, GitLabCredential } from "./credentials.ts";
import type { ForgeHttp } from "./http.ts";

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

export const isGitLab = (access: ProjectAccess): access is GitLabAccess =>
  access.access?.kind === "gitlab-token";
