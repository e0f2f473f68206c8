-- Instructions of channels, and those that a conversation began with, which it keeps.
CREATE TABLE instructions (
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  text TEXT NOT NULL,
  set_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (surface, place)
) STRICT, WITHOUT ROWID;

ALTER TABLE conversations ADD COLUMN instructions TEXT; -- null: there were none
