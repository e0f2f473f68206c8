-- Accounts of people on forges, and connections that wait for a person.
CREATE TABLE forge_people (
  person TEXT NOT NULL,
  forge TEXT NOT NULL, -- host of the forge
  login TEXT NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  sealed TEXT NOT NULL, -- tokens, sealed with a key outside of the database
  ends INTEGER, -- when the access token ends; NULL if it does not
  version TEXT NOT NULL, -- new for each pair of tokens
  lease TEXT, -- the renewal that is under way
  leased INTEGER,
  at INTEGER NOT NULL,
  PRIMARY KEY (person, forge)
) STRICT, WITHOUT ROWID;

CREATE TABLE forge_sign_ins (
  person TEXT NOT NULL,
  forge TEXT NOT NULL,
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  version TEXT NOT NULL,
  sealed TEXT NOT NULL, -- the device code
  pause INTEGER NOT NULL, -- milliseconds between two questions to the forge
  ends INTEGER NOT NULL,
  PRIMARY KEY (person, forge)
) STRICT, WITHOUT ROWID;
