/** What is played on a day: who says what, what answers them, and what else there is to see in the evening. */

import type { Base, Repo } from "../../src/ports/conversation.ts";
import type { Model } from "../../src/ports/model.ts";
import type { Tools } from "../../src/ports/tools.ts";
import type { Points } from "./points.ts";
import type { Outside, Person } from "./script.ts";

/** One day's. */
export interface Play {
  readonly people: readonly Person[];
  readonly repo: Repo;
  readonly base: Base;
  /** `shown`: what was written so far is on the platform, as far as it gets there without time passing. */
  model(outside: Outside, shown: () => Promise<void>): Model;
  /** Of one process. */
  tools(points: Points): Tools;
  /** A thread without what only this day has. */
  plain(thread: string): string;
  /** What stands outside of the threads at the end, by name. */
  left(): Readonly<Record<string, string>>;
}
