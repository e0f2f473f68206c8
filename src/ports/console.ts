/** What a feature adds to the console, declared on the caller's floor. */

import type { Label } from "../i18n/say.ts";

export interface ConsoleRequest {
  readonly method: "get" | "post" | "patch" | "delete";
  readonly path: `/${string}`;
  /** As the reference says it. */
  readonly does: string;
  /** Completes "You may not …" for an operator who may not approve; null: everybody with the token may. */
  readonly approvers: string | null;
  /** Wrong tokens at its path are counted by this name: guesses there never refuse a client of the rest. Absent: with the console's. */
  readonly counter?: string;
  /** Throws what the console answers with in its place (`refusal`). `part`: of the path, by the name behind its colon. */
  readonly answer: (request: Request, part: (name: string) => string) => Promise<Response>;
}

/** A board of the page, a section of one, or a dialog. Its module is `page/board.ts` of the feature's folder. */
export interface ConsoleBoard {
  /** In the address of a board, `#/NAME`. */
  readonly name: string;
  /** A dialog's says what a press does. */
  readonly title: Label;
  /** Absent: the module exports `board`. `cost`: a dialog that a press of a conversation's cost opens; it exports `open`. */
  readonly from?: "cost";
  /** Name of the board at whose end it is a section; absent: it has an address. */
  readonly on?: "channels";
}
