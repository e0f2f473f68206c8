/** What a benchmark is. It is never a timed test: a figure over its target is a figure, not a failure. */

import type { Figure } from "./figure.ts";

/** `tiny` shows that a benchmark still runs; its figures mean nothing. */
export type Scale = "full" | "tiny";

export interface Bench {
  readonly name: string;
  /** What is measured, in one line. */
  readonly what: string;
  /** `note` tells a person what takes so long. Rejects where the benchmark itself is broken. */
  run(scale: Scale, note: (line: string) => void): Promise<readonly Figure[]>;
}
