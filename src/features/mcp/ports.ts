import type { PersonId } from "../../machine/id.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { ServerStatus } from "../../ports/servers.ts";

/** No member throws or rejects. */
export interface ToolServers {
  readonly names: readonly string[];
  look(server: string): Promise<ServerStatus>;
  /**
   * Accepts the current tools: with a `code`, if the code matches the current list; without a code, only if no tools were
   * accepted before.
   */
  accept(
    server: string,
    code: string | null,
    by: PersonId,
  ): Promise<{ readonly kind: "done" } | { readonly kind: "refused"; readonly why: string } | WriteFailure>;
}

/** For a host without PARLEY_MCP. */
export const NO_SERVERS: ToolServers = {
  names: [],
  look: (server) => Promise.resolve({ kind: "failed", why: `there is no server ${server}` }),
  accept: (server) => Promise.resolve({ kind: "refused", why: `There is no server ${server}.` }),
};
