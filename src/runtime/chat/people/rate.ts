/**
 * How often people whom everybody may be can set the agent to work: so many turns within any hour. Who may drive is
 * not counted. Counted in memory, so that a restart forgives.
 */

import { HOUR, type Millis } from "../../../machine/id.ts";
import type { Clock } from "../../../ports/host.ts";

export type Rate = ReturnType<typeof createRate>;

/** `most`: turns per person and hour. */
export const createRate = (clock: Pick<Clock, "now">, most: number) => {
  /** Beginnings within the last hour, oldest first; the person whose latest is oldest stands first. */
  const turns = new Map<string, readonly Millis[]>();

  const recent = (person: string): readonly Millis[] =>
    (turns.get(person) ?? []).filter((at) => clock.now() - at < HOUR);

  const forget = (): void => {
    for (const [person, times] of turns) {
      if (clock.now() - (times.at(-1) ?? 0) < HOUR) return;
      turns.delete(person);
    }
  };

  return {
    most,
    /** How long until that person may begin another turn; 0 where it is now. */
    wait: (person: string): Millis => {
      const oldest = recent(person).at(-most);
      return oldest === undefined ? 0 : oldest + HOUR - clock.now();
    },
    took: (person: string) => {
      const times = [...recent(person), clock.now()].slice(-most);
      turns.delete(person);
      turns.set(person, times);
      forget();
    },
    /** The last one was none. */
    gaveBack: (person: string) => void turns.set(person, recent(person).slice(0, -1)),
  };
};
