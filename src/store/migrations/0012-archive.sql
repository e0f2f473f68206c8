-- Conversations can be archived, renamed and removed. Removed ones are out of sight at once and go piece by piece;
-- what pieces named on the disk waits in `loose_blobs` until it is known whether anybody else names it.
ALTER TABLE conversations ADD COLUMN titled_by TEXT; -- whoever renamed it; null: its first message did
ALTER TABLE conversations ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_removed ON conversations (id) WHERE removed = 1;
CREATE INDEX conversations_archived ON conversations (updated_at, id) WHERE user_initiated = 1 AND archived = 1;
CREATE INDEX conversations_of ON conversations (parent);

CREATE TABLE loose_blobs (
  hash TEXT PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_with_files ON messages (conversation) WHERE instr(words, '"hash":"') > 0;
CREATE INDEX claims_with_files ON claims (conversation) WHERE instr(body, '"hash":"') > 0;

-- All of a conversation's rows, those without a position too: nulls are distinct to a unique index.
DROP INDEX messages_order;
CREATE UNIQUE INDEX messages_order ON messages (conversation, position);
