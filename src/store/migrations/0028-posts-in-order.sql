-- The newest posts of a conversation are found without the others.
CREATE INDEX posts_placed ON posts (conversation, ordinal);
