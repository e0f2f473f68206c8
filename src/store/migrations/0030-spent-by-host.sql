-- What each of several hosts spends is its own sum, so that they need not wait for each other.
CREATE TABLE spent_by_host (
  day TEXT NOT NULL, -- UTC, 2026-11-22
  scope TEXT NOT NULL,
  host TEXT NOT NULL, -- empty: of a host that is alone, or of days that were carried on
  micro_usd INTEGER NOT NULL,
  PRIMARY KEY (day, scope, host)
) STRICT, WITHOUT ROWID;
INSERT INTO spent_by_host SELECT day, scope, '', micro_usd FROM spent;
DROP TABLE spent;
ALTER TABLE spent_by_host RENAME TO spent;
