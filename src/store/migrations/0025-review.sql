-- Answers that somebody looks at before they are posted: the channel in which that is asked, and the messages that ask.
ALTER TABLE channels ADD COLUMN review TEXT; -- the platform's id of a channel; null: nobody looks
CREATE TABLE review_cards (
  surface TEXT NOT NULL,
  wire TEXT NOT NULL, -- of the question
  place TEXT NOT NULL,
  messages TEXT NOT NULL, -- JSON: the platform's ids, in order
  PRIMARY KEY (surface, wire)
) STRICT, WITHOUT ROWID;
