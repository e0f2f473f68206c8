-- Questions take more answers than two; conversations may come from another one.
CREATE TABLE questions_wider (
  wire TEXT PRIMARY KEY NOT NULL,
  conversation TEXT NOT NULL REFERENCES conversations (id),
  question TEXT NOT NULL,
  type TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  status TEXT NOT NULL, -- pending, withdrawn or the answer
  settled_by TEXT,
  settled_at INTEGER,
  UNIQUE (conversation, question)
) STRICT, WITHOUT ROWID;
INSERT INTO questions_wider SELECT * FROM questions;
DROP TABLE questions;
ALTER TABLE questions_wider RENAME TO questions;
CREATE UNIQUE INDEX questions_pending ON questions (conversation) WHERE status = 'pending';

ALTER TABLE conversations ADD COLUMN origin TEXT; -- JSON: the conversation that this one was opened from
CREATE INDEX conversations_branching ON conversations (id) WHERE json_array_length(state, '$.branches') > 0;
