-- The language that the host speaks in a channel.
ALTER TABLE channels ADD COLUMN language TEXT; -- null: the platform's or the usual one
