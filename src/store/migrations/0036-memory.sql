-- Notes that people approved for a channel, what was proposed, and what changed in notes.
CREATE TABLE channel_notes (
  id TEXT PRIMARY KEY,
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  number INTEGER NOT NULL, -- counted in the channel
  repo TEXT, -- location of the repository that the note is about; NULL for the channel
  is_public INTEGER NOT NULL,
  server TEXT,
  text TEXT NOT NULL,
  wrote TEXT NOT NULL, -- the person whose words the text has
  author TEXT NOT NULL,
  author_name TEXT,
  approver TEXT,
  approver_name TEXT,
  at INTEGER NOT NULL,
  source TEXT, -- the conversation that the note comes from
  expires INTEGER,
  pinned INTEGER NOT NULL,
  cited TEXT NOT NULL, -- JSON
  looked TEXT, -- the commit of the last check
  stale TEXT, -- why the note is not used
  sure INTEGER NOT NULL, -- when a person last said that the note is true
  asked INTEGER -- when the author was asked whether the note is still true
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channel_notes_number ON channel_notes (surface, place, number);
CREATE INDEX channel_notes_repo ON channel_notes (repo) WHERE repo IS NOT NULL;

CREATE TABLE note_changes (
  note TEXT NOT NULL,
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  what TEXT NOT NULL,
  person TEXT,
  person_name TEXT,
  before TEXT, -- the text before an edit or a removal
  wrote TEXT, -- the person whose words that text has
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (note, at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_changes_channel ON note_changes (surface, place, at);

CREATE TABLE note_proposals (
  id TEXT PRIMARY KEY,
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  conversation TEXT NOT NULL,
  turn INTEGER NOT NULL,
  at INTEGER NOT NULL,
  fingerprint TEXT NOT NULL, -- of the normalized text
  repo TEXT,
  text TEXT, -- NULL once decided
  author TEXT NOT NULL,
  author_name TEXT,
  outcome TEXT NOT NULL,
  decided INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX note_proposals_channel ON note_proposals (surface, place, at);
