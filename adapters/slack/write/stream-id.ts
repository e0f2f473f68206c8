/**
 * The stored id of a streamed message. Slack accepts no key before the stop (D21), so the id itself marks a
 * stream, also for the next process. Such a message either becomes an answer at its stop, or is removed.
 */

const MARK = "~";

export const streamId = (ts: string): string => `${MARK}${ts}`;

export const isStream = (id: string): boolean => id.startsWith(MARK);

/** Returns Slack's own id of any message. */
export const tsOf = (id: string): string => (isStream(id) ? id.slice(MARK.length) : id);
