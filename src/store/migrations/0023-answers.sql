-- Answers that were posted. What was asked and said stays in `messages`, so that it goes with them; what an answer cites is
-- held here as well, so that a branch that moves is compared with all of them at once.
CREATE TABLE answers (
  conversation TEXT NOT NULL REFERENCES conversations (id),
  message TEXT NOT NULL, -- the response that the turn ended with
  turn INTEGER NOT NULL,
  question TEXT NOT NULL, -- the message that it answers
  said TEXT NOT NULL, -- JSON: the responses that the post shows
  at INTEGER NOT NULL,
  cost INTEGER NOT NULL, -- micro-USD
  citations TEXT NOT NULL, -- JSON
  standing TEXT NOT NULL DEFAULT 'holds' CHECK (standing IN ('holds', 'moved', 'changed')),
  looked TEXT NOT NULL DEFAULT '[]', -- JSON: the commits it was compared with last, one a repository
  audience TEXT CHECK (audience IN ('public', 'private')), -- null: not known
  PRIMARY KEY (conversation, message)
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_at ON answers (at);
