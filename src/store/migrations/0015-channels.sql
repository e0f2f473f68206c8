-- What channels have of their own: a work mode, and who may approve there beside those of the host.
CREATE TABLE channels (
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  mode TEXT, -- null: the usual one
  approvers TEXT NOT NULL, -- JSON
  set_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (surface, place)
) STRICT, WITHOUT ROWID;
