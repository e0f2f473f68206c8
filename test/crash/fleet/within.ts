/** No wait is without an end: what did not come in time is named. */

import { setTimeout as sleep } from "node:timers/promises";

/** `facts`: what else helps to understand it, asked only then. */
export const within = async <T>(
  seconds: number,
  what: string,
  awaited: Promise<T>,
  facts: () => string = () => "",
): Promise<T> => {
  const over = new AbortController();
  const late = sleep(seconds * 1_000, null, { signal: over.signal }).then(
    () => {
      throw new Error(`${what}: not within ${seconds} s\n${facts()}`);
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
  seconds: number,
  what: string,
  found: () => Promise<T | null> | T | null,
  every = 50,
): Promise<T> => {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const one = await found();
    if (one !== null) return one;
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(every);
  }
};
