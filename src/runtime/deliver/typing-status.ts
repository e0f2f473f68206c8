/**
 * Timing of activity hints. The first hint comes at once, or after the time for which the platform itself shows the work. Later
 * hints come at most every 3 seconds, and a hint is repeated before it expires.
 */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";

const EVERY: Millis = 3_000;

/** `delay`: time from the start of a turn's work to its first hint. */
export const createTypingStatus = (
  clock: Pick<Clock, "after">,
  lasts: Millis,
  ready: () => void,
  delay: () => Millis = () => 0,
) => {
  let standing: string | null = null;
  let isFresh = false;
  let isFading = false;
  let isRefused = false;
  let cancelFading: (() => void) | null = null;
  /** Null before the turn's first hint is due. */
  let isHeld: boolean | null = null;
  let release: (() => void) | null = null;

  const hold = (): boolean => {
    if (isHeld !== null) return isHeld;
    const wait = delay();
    isHeld = wait > 0;
    if (isHeld)
      release = clock.after(wait, () => {
        isHeld = false;
        ready();
      });
    return isHeld;
  };

  const reset = (): void => {
    release?.();
    isHeld = release = null;
  };

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
    /** Returns the hint to send now, null to clear the current one, or undefined if there is nothing to send yet. */
    due: (text: string | null): string | null | undefined => {
      if (text === null) reset();
      if (isRefused || (text === standing && !isFading)) return undefined;
      return text !== null && (isFresh || hold()) ? undefined : text;
    },
    given,
    /** A new message has cleared the hint on the platform. */
    ended: () => given(null),
    refused: () => {
      given(null);
      isRefused = true;
    },
    isRefused: () => isRefused,
    isOver: (): boolean => standing === null,
  };
};
