-- Addresses of the messages that notes come from.
ALTER TABLE channel_notes ADD COLUMN message_link TEXT;
ALTER TABLE note_proposals ADD COLUMN message TEXT; -- the platform's id of the author's message
