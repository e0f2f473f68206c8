-- Schema 4: what chat surfaces keep beside conversations. The inbox holds what a platform sent until it is handled;
-- after that its id alone, so that it is not handled again when the platform repeats it.
CREATE TABLE inbox (
  arrival INTEGER PRIMARY KEY,
  surface TEXT NOT NULL,
  id TEXT NOT NULL,
  lane TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT, -- JSON; null once it is handled
  UNIQUE (surface, id)
) STRICT;
CREATE INDEX inbox_open ON inbox (surface, arrival) WHERE body IS NOT NULL;

CREATE TABLE bindings (
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  repo TEXT NOT NULL, -- JSON
  bound_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (surface, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE participants (
  conversation TEXT NOT NULL REFERENCES threads (conversation),
  person TEXT NOT NULL,
  hinted INTEGER NOT NULL CHECK (hinted IN (0, 1)),
  PRIMARY KEY (conversation, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE heard (
  conversation TEXT PRIMARY KEY NOT NULL REFERENCES threads (conversation),
  message TEXT NOT NULL
) STRICT, WITHOUT ROWID;
