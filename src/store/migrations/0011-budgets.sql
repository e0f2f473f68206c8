-- What is spent on the model, and how much may be; the server that a thread's channel belongs to.
CREATE TABLE spent (
  day TEXT NOT NULL, -- UTC, 2026-11-22
  scope TEXT NOT NULL,
  micro_usd INTEGER NOT NULL,
  PRIMARY KEY (day, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE budgets (
  scope TEXT PRIMARY KEY NOT NULL,
  micro_usd INTEGER, -- a day; null: no bound
  set_by TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE threads ADD COLUMN server TEXT; -- null where the surface has one alone, or it was not known
