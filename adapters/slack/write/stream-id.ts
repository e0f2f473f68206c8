/**
 * The id under which a streamed message is kept. Slack lets it carry no key until it is stopped (D21), so its id says that it
 * is one, in the next process too: such a message either becomes an answer at its stop, or is removed.
 */

const MARK = "~";

export const streamId = (ts: string): string => `${MARK}${ts}`;

export const isStream = (id: string): boolean => id.startsWith(MARK);

/** Slack's own id of any message. */
export const tsOf = (id: string): string => (isStream(id) ? id.slice(MARK.length) : id);
