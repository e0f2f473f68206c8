-- What begins threads by itself, and the threads that it began. What arrived waits in the inbox, as the surface `watch`.
CREATE TABLE watches (
  id TEXT PRIMARY KEY,
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  source TEXT NOT NULL, -- JSON
  mode TEXT, -- null: the channel's
  instructions TEXT,
  per_hour INTEGER NOT NULL,
  standing TEXT NOT NULL, -- JSON
  failures INTEGER NOT NULL,
  set_by TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE watch_threads (
  conversation TEXT PRIMARY KEY,
  watch TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  place TEXT NOT NULL,
  message TEXT NOT NULL,
  event TEXT NOT NULL, -- JSON
  count INTEGER NOT NULL,
  told INTEGER NOT NULL,
  began INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX watch_threads_matter ON watch_threads (watch, fingerprint, began);
CREATE INDEX watch_threads_began ON watch_threads (watch, began);
CREATE INDEX watch_threads_untold ON watch_threads (began) WHERE told < count;
