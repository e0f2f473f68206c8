/** MCP servers, as the console returns them. */

/** A tool of an MCP server, as people see it. */
export interface ServerTool {
  readonly name: string;
  /** First sentence of its description, as the server wrote it. */
  readonly summary: string;
  /** According to the operator's list. A tool that is not listed needs a person's decision. */
  readonly access: "read" | "write";
  /**
   * Tools other than `usable` are off until a person accepts them. `new` and `changed` differ from the accepted state; `unread`
   * is unknown, because the stored state cannot be read.
   */
  readonly standing: "usable" | "new" | "changed" | "unread";
}

export type ServerStatus =
  | {
      readonly kind: "tools";
      readonly tools: readonly ServerTool[];
      /** Number of tools with invalid names, which are omitted. */
      readonly unnamed: number;
      /** Tools of the operator's list that the server does not offer. */
      readonly unknown: readonly string[];
      /** Code that identifies the current list. */
      readonly code: string;
    }
  | { readonly kind: "failed"; readonly why: string };

/** An MCP server with its response. */
export type Server = { readonly name: string } & ServerStatus;
