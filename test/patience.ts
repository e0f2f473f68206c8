/** Bounds of waits and tests, in ms. Only a hang exceeds them, however busy the machine is. */

/** The longest wait for one thing. */
export const MOST_WAIT = 15_000;

/** The longest test, hook or day of a simulated world. */
export const MOST = 40_000;
