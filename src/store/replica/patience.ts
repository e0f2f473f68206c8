/** How long something waits for a database that is away. */

import { setTimeout } from "node:timers/promises";
import type { LinkTrouble } from "./link.ts";

/** Milliseconds, and between two tries. */
export const PATIENCE = 20_000;
export const PAUSE = 200;

/** Tries again while the database is away, which alone may be over in a moment, and until the answer is `enough`: the last one. */
export const patiently = async <T extends { readonly kind: string }>(
  attempt: () => Promise<T | LinkTrouble>,
  patience = PATIENCE,
  isEnough: (found: T) => boolean = () => true,
): Promise<T | LinkTrouble> => {
  for (const until = performance.now() + patience; ; await setTimeout(PAUSE)) {
    const found = await attempt();
    const isOver = isTrouble(found) ? found.cause !== "away" : isEnough(found);
    if (isOver || performance.now() > until) return found;
  }
};

const isTrouble = (found: { readonly kind: string }): found is LinkTrouble => found.kind === "trouble";
