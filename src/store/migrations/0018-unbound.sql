-- What waits for its place to get a repository, and the conversation that says afterwards what that is (D40). Replies that go
-- with the turn that they tell of.
CREATE TABLE unbound (
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  message TEXT NOT NULL,
  root TEXT NOT NULL,
  note TEXT, -- the platform's id of the message that says so; null where none stands
  at INTEGER NOT NULL,
  PRIMARY KEY (surface, place, message)
) STRICT, WITHOUT ROWID;
ALTER TABLE conversations ADD COLUMN introduces INTEGER NOT NULL DEFAULT 0;
ALTER TABLE replies ADD COLUMN conversation TEXT; -- with whose turn it goes; null: it stays
CREATE INDEX replies_standing ON replies (surface) WHERE conversation IS NOT NULL AND stands IS NOT NULL;
