-- Questions that were told in a channel of their own (PARLEY_APPROVALS_CHANNEL), until they are told to be over.
CREATE TABLE announcements (
  surface TEXT NOT NULL,
  wire TEXT NOT NULL, -- of the question
  place TEXT NOT NULL,
  message TEXT NOT NULL,
  is_open INTEGER NOT NULL, -- 0 once the message says what became of the question
  PRIMARY KEY (surface, wire)
) STRICT, WITHOUT ROWID;
CREATE INDEX announcements_open ON announcements (surface) WHERE is_open = 1;
