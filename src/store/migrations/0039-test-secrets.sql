-- Secrets for the tests that the host runs, of a repository. The key that opens them is outside the database.
CREATE TABLE test_secrets (
  repo TEXT NOT NULL, -- host and path, or the path of a local repository
  name TEXT NOT NULL,
  sealed TEXT NOT NULL,
  set_by TEXT, -- NULL if the person was erased
  at INTEGER NOT NULL,
  PRIMARY KEY (repo, name)
) STRICT, WITHOUT ROWID;

-- Names that the newest tested commit of a repository declares in .parley/tests.json.
CREATE TABLE test_declarations (
  repo TEXT NOT NULL PRIMARY KEY,
  secrets TEXT NOT NULL, -- JSON list
  services TEXT NOT NULL -- JSON list
) STRICT, WITHOUT ROWID;
