-- The model that answers in the conversations of a channel.
ALTER TABLE channels ADD COLUMN model TEXT; -- null: the usual one
