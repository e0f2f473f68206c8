-- Replies that people are owed for what was not taken: one for each person in each thread (D7).
CREATE TABLE replies (
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  root TEXT NOT NULL, -- empty: outside of threads
  person TEXT NOT NULL,
  key TEXT NOT NULL,
  why TEXT, -- JSON; null: it was told
  stands TEXT, -- the platform's id of the last one that was told
  at INTEGER NOT NULL,
  PRIMARY KEY (surface, place, root, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX replies_owed ON replies (surface, at) WHERE why IS NOT NULL;
