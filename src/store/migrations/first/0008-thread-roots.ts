/** Threads are found by their root alone: a deletion names no channel. */
export const EIGHTH = `
CREATE INDEX threads_rooted ON threads (root, surface);
`;
