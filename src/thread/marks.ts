/** How a surface writes what is not its own prose, and in which language it says the rest. */

import type { Say } from "../i18n/say.ts";

export interface Formatter {
  readonly say: Say;
  /** Ids, names and keys, as code. */
  readonly code: (text: string) => string;
  /** Sentences made elsewhere in the host, escaped. */
  readonly plain: (text: string) => string;
  /** A conversation, as a link to its thread where there is one. */
  readonly thread: (id: string, link?: string) => string;
  /** An address on the forge under what it is called there. */
  readonly link: (text: string, url: string) => string;
}

/** As much of it as a sentence with names in it takes. */
export type NameFormatter = Pick<Formatter, "code" | "say">;
