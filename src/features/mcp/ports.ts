/** The operator's MCP servers, as commands and the console ask for them. */

import type { PersonId } from "../../machine/id.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { ServerStatus } from "../../ports/servers.ts";

/** No member throws or rejects. */
export interface ToolServers {
  readonly names: readonly string[];
  look(server: string): Promise<ServerStatus>;
  /** The tools are usable as they are now: all of them where `code` names that list, and without one where nobody has accepted any yet. */
  accept(
    server: string,
    code: string | null,
    by: PersonId,
  ): Promise<{ readonly kind: "done" } | { readonly kind: "refused"; readonly why: string } | WriteFailure>;
}

/** A host without PARLEY_MCP. */
export const NO_SERVERS: ToolServers = {
  names: [],
  look: (server) => Promise.resolve({ kind: "failed", why: `there is no server ${server}` }),
  accept: (server) => Promise.resolve({ kind: "refused", why: `There is no server ${server}.` }),
};
