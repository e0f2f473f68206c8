/** Phases run one after the other; one second remains for closing files. The next start does the work that remains. */

import type { Millis } from "../../machine/id.ts";

/** Time for running turns to end when a host hands over. The host accepts no new turns then. */
export const HANDOVER: Millis = 60_000;

export const DRAIN: Readonly<Record<"whole" | "leave" | "commits" | "work" | "deliver", Millis>> = {
  whole: 10_000,
  /** Handling of events that have arrived. */
  leave: 2_000,
  /** Storing of handled events, and the end of turns in busy conversations. */
  commits: 2_000,
  /** End of requests and commands in flight. */
  work: 2_000,
  deliver: 3_000,
};
