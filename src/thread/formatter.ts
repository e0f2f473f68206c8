import type { Say } from "../i18n/say.ts";

export interface Formatter {
  readonly say: Say;
  readonly code: (text: string) => string;
  /** Escapes sentences from other parts of the host. */
  readonly plain: (text: string) => string;
  readonly thread: (id: string, link?: string) => string;
  readonly link: (text: string, url: string) => string;
}

export type NameFormatter = Pick<Formatter, "code" | "say"> & Partial<Pick<Formatter, "link">>;
