/** A platform's markup, the only part of rendering that differs between adapters. */

import type { Millis } from "../../src/machine/id.ts";
import type { Limits, RenderScene } from "../../src/ports/surface.ts";
import type { Formatter } from "../../src/thread/formatter.ts";

/** The context for rendering a post: data, limits of a message, and the platform's markup. */
export interface RenderContext {
  readonly scene: RenderScene;
  readonly limits: Limits;
  readonly dialect: Dialect;
}

export interface Dialect {
  readonly platform: string;
  readonly marks: Formatter;
  readonly code: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly italic: (text: string) => string;
  /** Converts the Markdown of texts that all surfaces share. */
  readonly markdown: (text: string) => string;
  /**
   * Rewrites a model's Markdown that the platform does not support. Absent if the platform supports
   * everything.
   */
  readonly prose?: (text: string) => string;
  /** Formats a reference to a forge item; `link`: its address, if known. */
  readonly linked: (text: string, link: string | null) => string;
  /** Formats a time for each reader's time zone, with the day if it differs from the day of `since`. */
  readonly time: (at: Millis, since: Millis) => string;
  /** Whether a turn's buttons are on its first message; otherwise on its last. */
  readonly buttonsFirst: boolean;
  /** Whether messages are identified by their buttons, so that a turn's message needs at least one. */
  readonly marksButtons: boolean;
  /** Whether everybody can read the threads, so that costs and similar facts appear only in the console. */
  readonly isPublic: boolean;
  readonly files: number;
}
