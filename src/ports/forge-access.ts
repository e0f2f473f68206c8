/** Mirrors of plain git remotes and local paths need no access to a forge. */

import type { Repo } from "./conversation.ts";
import type { DraftPulls } from "./draft-pulls.ts";
import type { ForgeResult, GitProxies } from "./forge.ts";
import type { Archives } from "./forge-archive.ts";
import type { Outgoing } from "./outgoing.ts";

export interface ForgeAccess {
  readonly doors: GitProxies;
  readonly archives: Archives;
  /**
   * Reads an issue, pull request, commit or file by its web address. A repository that is not `bound` is read without the
   * host's credentials, so only if everybody may read it. Null for any other page. Never rejects.
   */
  readPage(address: URL, bound: readonly Repo[], signal: AbortSignal): Promise<ForgeResult<string>> | null;
  pulls(outgoing: Outgoing): DraftPulls;
  /** Whether the forge would accept a push; null if the host has no credential for the repository. Never rejects. */
  mayPush(repo: Repo, signal: AbortSignal): Promise<ForgeResult<unknown> | null>;
}

export const NO_FORGE: ForgeAccess = {
  doors: { open: () => Promise.resolve(null) },
  archives: { of: () => null },
  readPage: () => null,
  pulls: () => ({ at: () => ({ kind: "none", why: "This host opens no pull requests." }) }),
  mayPush: () => Promise.resolve(null),
};
