/** What a feature adds to the console, declared on the caller's floor. */

import type { Label } from "../i18n/say.ts";

export interface ConsoleRequest {
  readonly method: "get" | "post" | "patch" | "delete";
  readonly path: `/api/${string}`;
  /** As the reference says it. */
  readonly does: string;
  /** Completes "You may not …" for an operator who may not approve; null: everybody with the token may. */
  readonly approvers: string | null;
  /** Throws what the console answers with in its place (`refusal`). */
  readonly answer: (request: Request) => Promise<Response>;
}

/** A board of the page, or a section of one. Its module is `page/board.ts` of the feature's folder, which exports `board`. */
export interface ConsoleBoard {
  /** In its address, `#/NAME`. */
  readonly name: string;
  readonly title: Label;
  /** Name of the board at whose end it is a section; absent: it has an address. */
  readonly on?: "channels";
}
