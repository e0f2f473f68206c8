-- What the conversations of a channel know beside their checkout.
ALTER TABLE channels ADD COLUMN knowledge TEXT NOT NULL DEFAULT '[]'; -- JSON
