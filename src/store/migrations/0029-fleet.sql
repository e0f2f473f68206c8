-- Several hosts that write: who is there, and what is whose.
CREATE TABLE members (
  name TEXT PRIMARY KEY,
  instance TEXT NOT NULL, -- one start of the host
  joined INTEGER NOT NULL -- one more than that of whoever joined before
) STRICT, WITHOUT ROWID;
CREATE TABLE homes (
  home TEXT PRIMARY KEY,
  host TEXT NOT NULL -- free where it is no member
) STRICT, WITHOUT ROWID;
CREATE INDEX homes_host ON homes (host);
CREATE TABLE reserved ( -- what requests in flight may cost
  id INTEGER PRIMARY KEY,
  instance TEXT NOT NULL, -- start of the host that asked: it counts while that is a member
  scopes TEXT NOT NULL, -- JSON: whose money it is
  micro_usd INTEGER NOT NULL
) STRICT;
ALTER TABLE alerts ADD COLUMN host TEXT; -- which it is about; null: all of them
