/** With what a project is asked, and what its git remote is to be shown. */

import type { Address } from "./address.ts";
import type { GitHubCredential, GitLabCredential } from "./credentials.ts";
import type { ForgeHttp } from "./http.ts";
import type { RemoteAccess } from "./remote.ts";

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

/** GitLab's name for whoever comes with a token. */
const USER = "oauth2";

/** Made when it is first needed. */
export const remoteOf = (access: ProjectAccess): RemoteAccess => {
  const { root, userAgent, wire } = access;
  if (isGitLab(access)) {
    const shown = { user: USER, password: access.access.token };
    return { root, userAgent, wire, credential: () => Promise.resolve(shown), right: "write_repository" };
  }
  let opened: RemoteAccess["credential"] | null = null;
  const credential = async () => {
    // The library of the client is loaded when it is needed.
    opened ??= (await import("./github/client.ts")).createCredential(access);
    return opened();
  };
  return { root, userAgent, wire, credential, right: "contents=write" };
};
