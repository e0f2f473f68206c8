-- Replies that a person was owed before the newest one and was not told yet.
ALTER TABLE replies ADD COLUMN since TEXT; -- key of the oldest reply that waits, by which the message is sent; null: that of the newest
ALTER TABLE replies ADD COLUMN earlier TEXT; -- JSON: key and why of each, oldest first; null: none
