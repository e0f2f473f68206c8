/** Bounds of waits and tests, in ms. Only a hang exceeds them, however busy the machine is. */

/** One wait for what must come. */
export const MOST_WAIT = 900_000;

/** A test, a hook or a day of a simulated world. */
export const MOST = 3_600_000;
