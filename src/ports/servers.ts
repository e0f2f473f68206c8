export interface ServerTool {
  readonly name: string;
  /** First sentence of the tool's description, as the server wrote it. */
  readonly summary: string;
  /** According to the operator's list. A tool that is not listed needs a person's decision. */
  readonly access: "read" | "write";
  /** `new` and `changed`: off until a person accepts the tool. `unread`: off, because the stored state cannot be read. */
  readonly standing: "usable" | "new" | "changed" | "unread";
}

export type ServerStatus =
  | {
      readonly kind: "tools";
      readonly tools: readonly ServerTool[];
      readonly unnamed: number;
      readonly unknown: readonly string[];
      /** Code that identifies the current list. */
      readonly code: string;
    }
  | { readonly kind: "failed"; readonly why: string };

export type Server = { readonly name: string } & ServerStatus;
