/** When the hint of what is being done is given: at once, then no faster than people read, and again before it ends. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";

const EVERY: Millis = 3_000;

/** `lasts`: how long one stands. `ready`: one may be due. */
export const createTypingStatus = (clock: Pick<Clock, "after">, lasts: Millis, ready: () => void) => {
  let standing: string | null = null;
  let isFresh = false;
  let isFading = false;
  let isRefused = false;
  let cancelFading: (() => void) | null = null;

  const given = (text: string | null): void => {
    standing = text;
    isFading = false;
    cancelFading?.();
    if (text === null) return;
    isFresh = true;
    clock.after(EVERY, () => {
      isFresh = false;
      ready();
    });
    cancelFading = clock.after(lasts, () => {
      isFading = true;
      ready();
    });
  };

  return {
    /** What to say now, null to take back what stands; undefined where nothing is to be said, or not yet. */
    due: (text: string | null): string | null | undefined => {
      if (isRefused || (text === standing && !isFading)) return undefined;
      return text !== null && isFresh ? undefined : text;
    },
    given,
    /** A message has taken its place. */
    ended: () => given(null),
    /** The platform takes none. */
    refused: () => {
      given(null);
      isRefused = true;
    },
    isRefused: () => isRefused,
    isOver: (): boolean => standing === null,
  };
};
