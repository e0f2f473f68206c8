/**
 * One due time for each pull request: the next time at which the forge is asked about the pull request. Memory is enough,
 * because a restart asks at once.
 */

import { HOUR, type Millis } from "../../../machine/id.ts";
import type { Clock } from "../../../ports/host.ts";

/** Time between two reads after a change. */
export const TEND_LOOK: Millis = HOUR / 60;
/** Longest time between two reads while nothing changes. */
const CALM_LOOK: Millis = HOUR / 6;
/** Longest time between two reads while the forge fails without a demand of its own. */
const MAX_LOOK: Millis = HOUR / 2;
/** Shortest time between two reads because of events: a test suite reports dozens of events within seconds. */
export const EVENT_LOOK: Millis = 10_000;

interface Due {
  readonly at: Millis;
  /** Latest wait, which the next one may double. */
  readonly wait: Millis;
  /** Until then the forge wants no request. */
  readonly held: Millis;
  /** Time of the latest read. */
  readonly read: Millis;
  /** State of the pull request at the latest read; null if the read failed. */
  readonly state: string | null;
  /** Whether an event has arrived since the latest read began. */
  readonly isReported: boolean;
}

const UNREAD: Due = {
  at: 0,
  wait: TEND_LOOK / 2,
  held: 0,
  read: -EVENT_LOOK,
  state: null,
  isReported: false,
};

export const createTendDues = ({ now }: Pick<Clock, "now">) => {
  const dues = new Map<string, Due>();
  const of = (id: string): Due => dues.get(id) ?? UNREAD;
  const put = (id: string, change: Partial<Due>): void => {
    const due = { ...of(id), ...change };
    dues.set(id, { ...due, at: Math.max(due.at, due.held) });
  };

  return {
    at: (id: string): Millis => of(id).at,
    isDue: (id: string): boolean => now() >= of(id).at,
    /** Called before a read, so that an event during the read causes another one. */
    begin: (id: string): void => put(id, { isReported: false }),
    /** The wait doubles while the state stays the same. */
    read: (id: string, state: string): void => {
      const { wait: before, state: known, isReported } = of(id);
      const calm = state === known ? Math.min(CALM_LOOK, 2 * before) : TEND_LOOK;
      const [rest, wait] = isReported ? [EVENT_LOOK, TEND_LOOK / 2] : [calm, calm];
      put(id, { at: now() + rest, wait, read: now(), state });
    },
    /** `demanded`: wait that the forge demands. */
    failed: (id: string, demanded?: Millis): void => {
      const wait = Math.min(MAX_LOOK, 2 * of(id).wait);
      const held = demanded === undefined ? of(id).held : now() + demanded;
      put(id, { at: now() + Math.max(wait, demanded ?? 0), wait, held, state: null });
    },
    /** The forge has reported a change. */
    reported: (id: string): void => {
      const { at, read } = of(id);
      const soon = Math.max(now(), read + EVENT_LOOK);
      put(id, { at: Math.min(at, soon), wait: TEND_LOOK / 2, isReported: true });
    },
    /** The host itself has changed something. */
    soon: (id: string): void => put(id, { at: now(), wait: TEND_LOOK / 2, state: null }),
    drop: (id: string): void => void dues.delete(id),
  };
};
