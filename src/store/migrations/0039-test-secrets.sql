-- Secrets for the tests that the host runs, of a repository. The key that opens them is outside the database.
CREATE TABLE test_secrets (
  repo TEXT NOT NULL, -- host and path, or the path of a local repository
  name TEXT NOT NULL,
  sealed TEXT NOT NULL,
  set_by TEXT, -- NULL if the person was erased
  at INTEGER NOT NULL,
  PRIMARY KEY (repo, name)
) STRICT, WITHOUT ROWID;
