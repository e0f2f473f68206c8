/** What a project's git remote is to be shown, made when it is first needed. */

import type { GitLabAccess } from "./gitlab/transport.ts";
import type { createCredential, GitHubAccess } from "./github/client.ts";
import type { RemoteAccess } from "./remote.ts";

/** The library of the client is loaded when it is needed. */
export const githubRemote = (access: GitHubAccess, root: string): RemoteAccess => {
  let opened: ReturnType<typeof createCredential> | null = null;
  const credential = async () => {
    opened ??= (await import("./github/client.ts")).createCredential(access);
    return opened();
  };
  return {
    root,
    credential,
    userAgent: access.userAgent,
    wire: access.wire,
    right: "contents=write",
  };
};

/** GitLab's name for whoever comes with a token. */
const USER = "oauth2";

export const gitlabRemote = ({ access, userAgent, wire }: GitLabAccess, root: string): RemoteAccess => ({
  root,
  credential: () => Promise.resolve({ user: USER, password: access.token }),
  userAgent,
  wire,
  right: "write_repository",
});
