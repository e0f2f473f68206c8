-- Channels that are told every week how their questions went, and turns that ended without an answer, by when they did.
CREATE TABLE digests (
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  server TEXT,
  told TEXT NOT NULL, -- the Monday of the last week that was told
  set_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (surface, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_unanswered ON messages (entry ->> '$.at', id)
  WHERE kind = 'notice' AND json_valid(entry) AND entry ->> '$.notice.kind' IN ('failed', 'interrupted', 'empty', 'refused');
