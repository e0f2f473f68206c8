/** What a project's git remote is to be shown. */

import { isGitLab, type ProjectAccess } from "./choose.ts";
import type { RemoteAccess } from "./remote.ts";

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
