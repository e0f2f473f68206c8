/** Bounds of waits and tests, in ms. Only a hang exceeds them, however busy the machine is. */

/** The longest wait for one thing. */
export const MOST_WAIT = 900_000;

/** The longest test, hook or day of a simulated world. */
export const MOST = 3_600_000;
