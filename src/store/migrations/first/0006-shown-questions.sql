-- What people were shown is kept beside the question, exactly as its fingerprint was made of.
ALTER TABLE questions ADD COLUMN shown TEXT; -- canonical JSON; null in rows of before
CREATE INDEX questions_asked ON questions (asked_at);
