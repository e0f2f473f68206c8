import { setTimeout } from "node:timers/promises";
import type { LinkTrouble } from "./link.ts";

/** Time limit for all tries, and pause between two tries, both in milliseconds. */
export const DATABASE_PATIENCE = 20_000;
export const PAUSE = 200;

/** Causes that may pass in a moment: the database is unavailable, or a failover is under way. */
const PASSING: ReadonlySet<LinkTrouble["cause"]> = new Set(["away", "read_only"]);

/** Tries again while the failure may pass and until the result is enough. Returns the result of the last try. */
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
