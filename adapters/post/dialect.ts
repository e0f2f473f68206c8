/** How a platform spells what the host says: the one thing of a post that is an adapter's own. */

import type { Millis } from "../../src/machine/id.ts";
import type { Limits, RenderScene } from "../../src/ports/surface.ts";
import type { Formatter } from "../../src/thread/marks.ts";

/** What a post is shown with: what it may look at, what a message holds, and how the platform spells it. */
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
  /** The words that all surfaces share, which are Markdown. */
  readonly markdown: (text: string) => string;
  /** Markdown of a model, with what the platform lacks of it written in another way. Absent: the platform lacks nothing. */
  readonly prose?: (text: string) => string;
  /** Something in the forge; `link`: its address, where that is known. */
  readonly linked: (text: string, link: string | null) => string;
  /** A time as each reader's clock shows it, with the day where that is not the day of `since`. */
  readonly time: (at: Millis, since: Millis) => string;
  /** A turn's buttons stand on its first message; else on its last. */
  readonly buttonsFirst: boolean;
  /** A message is known again by its buttons: a turn's has one at least. */
  readonly marksButtons: boolean;
  /** Threads that everybody can read: what an answer cost, and the like, is for the console. */
  readonly isPublic: boolean;
  readonly files: number;
}
