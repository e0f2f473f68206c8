-- Threads are found by their root alone: a deletion names no channel.
CREATE INDEX threads_rooted ON threads (root, surface);
