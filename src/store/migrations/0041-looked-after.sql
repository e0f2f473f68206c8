-- Pull requests that an approver has the agent look after, and the pushes under that click.
CREATE TABLE tended_pulls (
  id TEXT PRIMARY KEY,
  conversation TEXT NOT NULL,
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  person TEXT NOT NULL, -- the approver
  person_name TEXT,
  account TEXT, -- the approver's on the forge, if connected at the click
  name TEXT NOT NULL, -- as in acme/shop#12
  number INTEGER NOT NULL,
  branch TEXT NOT NULL,
  began INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  pushes INTEGER NOT NULL, -- at most
  budget INTEGER NOT NULL, -- millionths of a dollar
  head TEXT NOT NULL, -- the commit after the last push
  expected TEXT, -- the commit of a push whose result is not stored yet
  seen TEXT NOT NULL, -- JSON: ids of handled remarks and failed checks
  turn INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  phase TEXT NOT NULL,
  cause TEXT NOT NULL, -- JSON
  trouble INTEGER, -- since when the forge refuses
  ended TEXT, -- why; NULL while it lasts
  told INTEGER NOT NULL -- whether the thread shows the end
) STRICT, WITHOUT ROWID;
CREATE INDEX tended_pulls_conversation ON tended_pulls (conversation);
CREATE INDEX tended_pulls_active ON tended_pulls (id) WHERE told = 0;

CREATE TABLE tended_pushes (
  tended TEXT NOT NULL,
  no INTEGER NOT NULL,
  conversation TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- of the decided card
  commit_id TEXT,
  standing TEXT NOT NULL,
  told INTEGER NOT NULL,
  PRIMARY KEY (tended, no)
) STRICT, WITHOUT ROWID;
CREATE INDEX tended_pushes_conversation ON tended_pushes (conversation, fingerprint);
