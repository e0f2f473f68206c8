-- Schema 1. Columns whose comment says JSON are read through src/store/schema. What grows with a conversation is
-- found by (conversation, number), so that a step costs the same at any length.
CREATE TABLE prefixes (
  hash TEXT PRIMARY KEY NOT NULL,
  system TEXT NOT NULL, -- JSON string
  tools TEXT NOT NULL -- JSON
) STRICT;

CREATE TABLE conversations (
  id TEXT PRIMARY KEY NOT NULL,
  surface TEXT NOT NULL,
  title TEXT NOT NULL, -- JSON string
  repo TEXT NOT NULL, -- JSON
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  parent TEXT REFERENCES conversations (id),
  user_initiated INTEGER NOT NULL CHECK (user_initiated IN (0, 1)),
  archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
  prefix TEXT NOT NULL REFERENCES prefixes (hash),
  base TEXT, -- JSON
  phase TEXT NOT NULL,
  entries INTEGER NOT NULL DEFAULT 0, -- positions given so far
  posts INTEGER NOT NULL DEFAULT 0, -- ordinals given so far
  revision INTEGER NOT NULL DEFAULT 0, -- last one given to a post
  state TEXT NOT NULL, -- JSON, without grants
  initial TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX conversations_listed ON conversations (updated_at, id)
  WHERE user_initiated = 1 AND archived = 0;
CREATE INDEX conversations_unsettled ON conversations (phase)
  WHERE phase IN ('thinking', 'running', 'stopping');

CREATE TABLE messages (
  id TEXT PRIMARY KEY NOT NULL,
  conversation TEXT NOT NULL REFERENCES conversations (id),
  position INTEGER, -- null until an entry names it
  turn INTEGER,
  kind TEXT,
  entry TEXT, -- JSON
  words TEXT, -- JSON; null where the entry has none, or where they were erased
  CHECK ((position IS NULL) = (entry IS NULL))
) STRICT;
CREATE UNIQUE INDEX messages_order ON messages (conversation, position) WHERE position IS NOT NULL;

CREATE TABLE events (
  conversation TEXT NOT NULL REFERENCES conversations (id),
  seq INTEGER NOT NULL,
  event TEXT NOT NULL, -- JSON
  labels TEXT NOT NULL, -- JSON
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  effects TEXT NOT NULL, -- JSON
  actor TEXT,
  hash TEXT NOT NULL,
  core TEXT NOT NULL,
  PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE questions (
  wire TEXT PRIMARY KEY NOT NULL,
  conversation TEXT NOT NULL REFERENCES conversations (id),
  question TEXT NOT NULL,
  type TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approve', 'deny', 'withdrawn')),
  settled_by TEXT,
  settled_at INTEGER,
  UNIQUE (conversation, question)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX questions_pending ON questions (conversation) WHERE status = 'pending';

CREATE TABLE posts (
  conversation TEXT NOT NULL REFERENCES conversations (id),
  key TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  body TEXT NOT NULL, -- canonical JSON: equal text means equal post
  PRIMARY KEY (conversation, key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX posts_changed ON posts (conversation, revision);

CREATE TABLE claims (
  arrival INTEGER PRIMARY KEY,
  surface TEXT NOT NULL,
  id TEXT NOT NULL,
  conversation TEXT NOT NULL REFERENCES conversations (id),
  at INTEGER NOT NULL,
  body TEXT NOT NULL, -- JSON
  outcome TEXT, -- JSON; null while neither accepted nor refused
  settled_at INTEGER,
  UNIQUE (surface, id)
) STRICT;
CREATE INDEX claims_open ON claims (arrival) WHERE outcome IS NULL;
