/** Counts are in memory, so a restart resets them. */

import { HOUR, type Millis } from "../../../machine/id.ts";
import type { Clock } from "../../../ports/host.ts";

export type Rate = ReturnType<typeof createRate>;

/** `most`: turns per person and hour. */
export const createRate = (clock: Pick<Clock, "now">, most: number) => {
  /** Start times within the last hour, oldest first. People are ordered by their latest start, oldest first. */
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
    /** 0 if the person may begin now. */
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
    /** Removes the last start, because it began no turn. */
    gaveBack: (person: string) => void turns.set(person, recent(person).slice(0, -1)),
  };
};
