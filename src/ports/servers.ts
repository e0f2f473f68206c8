/** MCP servers as the console answers them, declared on the caller's floor. */

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

export type ServerStatus =
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

/** An MCP server, and what it answered. */
export type Server = { readonly name: string } & ServerStatus;
