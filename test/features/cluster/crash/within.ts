/** A wait ends after `MOST_WAIT` with an error that names the missing thing. */

import { setTimeout as sleep } from "node:timers/promises";
import { MOST_WAIT } from "../../../patience.ts";

/** `facts`: what else helps to understand it, asked only then. */
export const within = async <T>(
  what: string,
  awaited: Promise<T>,
  facts: () => string = () => "",
): Promise<T> => {
  const over = new AbortController();
  const late = sleep(MOST_WAIT, null, { signal: over.signal }).then(
    () => {
      throw new Error(`${what}: not within ${MOST_WAIT / 1_000} s\n${facts()}`);
    },
    () => awaited,
  );
  try {
    return await Promise.race([awaited, late]);
  } finally {
    over.abort();
  }
};

/** Looks until `found` answers something else than null. */
export const until = async <T>(
  what: string,
  found: () => Promise<T | null> | T | null,
  every = 50,
): Promise<T> => {
  const end = performance.now() + MOST_WAIT;
  for (;;) {
    const one = await found();
    if (one !== null) return one;
    if (performance.now() > end) throw new Error(`${what}: not within ${MOST_WAIT / 1_000} s`);
    await sleep(every);
  }
};
