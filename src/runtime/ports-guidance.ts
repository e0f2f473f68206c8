/** What a repository and a channel say themselves about how to work in them (9, item 4). */

import type { Millis, PersonId } from "../core/id.ts";

/** What people who may approve want of every conversation in a channel, in their words. */
export interface Instructions {
  readonly text: string;
  readonly by: PersonId;
  readonly at: Millis;
}

/** Bytes that a channel may say. */
export const MAX_INSTRUCTIONS = 4 * 1024;

export interface Guidance {
  /** In the repository. */
  readonly path: string;
  /** Whole lines, as many as are told. */
  readonly text: string;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly isCut: boolean;
}
