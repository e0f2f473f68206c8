/** Fill level of the model's context (BED-019, BED-023). */

import type { Context } from "./state.ts";
import { contextUsed, type Usage } from "./vocabulary.ts";

/** In tenths of the window. A warning is posted above this mark (row 62: 80.0 % is not above). */
const WARN_ABOVE = 8;
/** In tenths of the window. From this mark on no tool runs (BED-019; L9). */
const FULL_FROM = 9;

export const isFull = ({ used, window }: Context): boolean => window > 0 && 10 * used >= FULL_FROM * window;

export const isNearFull = ({ used, window }: Context): boolean => 10 * used > WARN_ABOVE * window;

export const percentUsed = ({ used, window }: Pick<Context, "used" | "window">): number =>
  window === 0 ? 0 : Math.floor((100 * used) / window);

/** Below the mark the warning is reset, so that the next crossing warns again. */
export const measured = ({ warning, ...context }: Context, usage: Usage): Context => {
  const now = { ...context, used: contextUsed(usage) };
  const stands = context.warned && isNearFull(now);
  return { ...now, warned: stands, ...(stands && warning !== undefined ? { warning } : {}) };
};
