/** How long something waits for a database that is away. */

import { setTimeout } from "node:timers/promises";
import type { LinkTrouble } from "./link.ts";

/** Milliseconds, and between two tries. */
export const DATABASE_PATIENCE = 20_000;
export const PAUSE = 200;

/** What may be over in a moment: a database that is away, or one whose place another one takes. */
const PASSING: ReadonlySet<LinkTrouble["cause"]> = new Set(["away", "read_only"]);

/** Tries again while that may help, and until there is enough. Answers what the last try came to. */
export const withPatience = async <T extends { readonly kind: string }>(
  attempt: () => Promise<T | LinkTrouble>,
  patience = DATABASE_PATIENCE,
  isEnough: (found: T) => boolean = () => true,
): Promise<T | LinkTrouble> => {
  for (const until = performance.now() + patience; ; await setTimeout(PAUSE)) {
    const found = await attempt();
    const isOver = isTrouble(found) ? !PASSING.has(found.cause) : isEnough(found);
    if (isOver || performance.now() > until) return found;
  }
};

const isTrouble = (found: { readonly kind: string }): found is LinkTrouble => found.kind === "trouble";
