-- Threads in which only messages with a mention are input, and channels whose links are read.
CREATE TABLE quiet (
  conversation TEXT PRIMARY KEY NOT NULL REFERENCES threads (conversation),
  quiet INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE channels ADD COLUMN quiet INTEGER; -- null: never chosen
ALTER TABLE channels ADD COLUMN links INTEGER NOT NULL DEFAULT 0;
