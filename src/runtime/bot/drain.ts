/**
 * Time limits of a shutdown. A host that hands over first lets its turns end and accepts no new ones; without running turns it
 * shuts down at once. A shutdown takes at most 10 s, whatever hangs. Its phases run one after the other, and one second remains
 * for closing files. The next start repairs what did not fit into its phase.
 */

import type { Millis } from "../../machine/id.ts";

/** Time for running turns to end when a host hands over. */
export const HANDOVER: Millis = 60_000;

export const DRAIN: Readonly<Record<"whole" | "leave" | "commits" | "work" | "deliver", Millis>> = {
  whole: 10_000,
  /** Handling of events that have arrived. */
  leave: 2_000,
  /** Storing of handled events, and the end of turns in busy conversations. */
  commits: 2_000,
  /** End of requests and commands in flight. */
  work: 2_000,
  /** Notices in threads. */
  deliver: 3_000,
};
