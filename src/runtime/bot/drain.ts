/**
 * A host that hands over to others lets its turns end first, and nothing new is taken meanwhile. After that, and at once if
 * nothing goes on, it shuts down as any other. A shutdown takes at most 10 s, whatever hangs: shares of it go to those who end one after the
 * other, and a second is left for closing files. What a share is too short for is repaired at the next start.
 */

import type { Millis } from "../../machine/id.ts";

/** How long turns may take that go on when a host hands over. */
export const HANDOVER: Millis = 60_000;

export const DRAIN: Readonly<Record<"whole" | "leave" | "commits" | "work" | "deliver", Millis>> = {
  whole: 10_000,
  /** What has arrived is handled. */
  leave: 2_000,
  /** What is handled is stored, and busy conversations end their turns. */
  commits: 2_000,
  /** Requests and commands in flight end. */
  work: 2_000,
  /** Threads are told. */
  deliver: 3_000,
};
