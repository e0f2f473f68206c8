/** Formatting of a surface for names and links, and the language of the host's sentences. */

import type { Say } from "../i18n/say.ts";

export interface Formatter {
  readonly say: Say;
  /** Formats ids, names and keys as code. */
  readonly code: (text: string) => string;
  /** Escapes sentences from other parts of the host. */
  readonly plain: (text: string) => string;
  /** Names a conversation, as a link to its thread if there is one. */
  readonly thread: (id: string, link?: string) => string;
  /** Links to an address on the forge under its name there. */
  readonly link: (text: string, url: string) => string;
}

/** The part of `Marks` that a sentence with names needs. */
export type NameFormatter = Pick<Formatter, "code" | "say">;
