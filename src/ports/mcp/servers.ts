/** The operator's MCP servers as people see them; declared on the caller's floor. */

import type { PersonId } from "../../machine/id.ts";
import type { WriteFailure } from "../host.ts";

/** A tool of an MCP server, as people see it. */
export interface ServerTool {
  readonly name: string;
  /** Its first sentence, in the words of the server. */
  readonly summary: string;
  /** By the operator's list: what is not on it asks a person. */
  readonly access: "read" | "write";
  /**
   * Whatever is not `usable` is off until somebody accepts it: `new` and `changed` are not as they were accepted, of
   * `unread` nobody can tell, because what is stored of that cannot be read.
   */
  readonly standing: "usable" | "new" | "changed" | "unread";
}

export type ServerLook =
  | {
      readonly kind: "tools";
      readonly tools: readonly ServerTool[];
      /** Tools that nobody could name, which are left out. */
      readonly unnamed: number;
      /** Tools of the operator's list that the server has not. */
      readonly unknown: readonly string[];
      /** Names the list as it is now. */
      readonly code: string;
    }
  | { readonly kind: "failed"; readonly why: string };

/** The operator's MCP servers, as commands, the console and doctor ask for them. No member throws or rejects. */
export interface ToolServers {
  readonly names: readonly string[];
  look(server: string): Promise<ServerLook>;
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
