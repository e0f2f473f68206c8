-- Schema 2: which thread of a chat platform a conversation lives in, and what that thread holds. `behind` marks
-- threads that may differ from the posts, so that a start finds them without looking at the others.
CREATE TABLE threads (
  conversation TEXT PRIMARY KEY NOT NULL REFERENCES conversations (id),
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  root TEXT NOT NULL,
  delivered INTEGER NOT NULL DEFAULT 0, -- revision of posts
  behind INTEGER NOT NULL DEFAULT 0 CHECK (behind IN (0, 1)),
  UNIQUE (surface, place, root)
) STRICT, WITHOUT ROWID;
CREATE INDEX threads_behind ON threads (surface) WHERE behind = 1;

CREATE TABLE deliveries (
  first_written INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES threads (conversation),
  key TEXT NOT NULL,
  post TEXT NOT NULL,
  wire TEXT NOT NULL, -- random, carried by the message
  id TEXT, -- of the platform; null before it is known
  hash TEXT, -- of the content the message was last given; null where that is not known
  state TEXT NOT NULL CHECK (state IN ('planned', 'sending', 'sent', 'unknown', 'gone')),
  attempts INTEGER NOT NULL,
  UNIQUE (conversation, key)
) STRICT;
CREATE INDEX deliveries_of_post ON deliveries (conversation, post);
