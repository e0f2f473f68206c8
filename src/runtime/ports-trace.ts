/** What the trace keeps of every accepted event (D9, D17). */

import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import type { Millis, PersonId } from "../core/id.ts";
import type { State } from "../core/state.ts";

export interface TraceRow {
  readonly seq: number;
  readonly at: Millis;
  readonly event: Event;
  readonly labels: readonly string[];
  readonly before: State["phase"]["kind"];
  readonly after: State["phase"]["kind"];
  readonly effects: readonly Effect[];
  readonly actor: PersonId | null;
  /** SHA-256 of the canonical state after the event (D9). */
  readonly hash: string;
  /** Version of the core that made it. */
  readonly core: string;
}
