-- Posts of people that watches looked at (D55). No table has the words of a post that stayed unanswered.
CREATE TABLE first_looks (
  watch TEXT NOT NULL,
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  post TEXT NOT NULL,
  at INTEGER NOT NULL,
  decision TEXT NOT NULL, -- nothing, duplicate, look
  link TEXT, -- of the matter that a duplicate repeats
  reason TEXT NOT NULL, -- the model's sentence, without words of the post
  cost INTEGER NOT NULL, -- millionths of a dollar
  author TEXT, -- for the limits of a day, and while the console lists the decision; then NULL
  conversation TEXT, -- the thread that a look began
  PRIMARY KEY (watch, place, post)
) STRICT, WITHOUT ROWID;
CREATE INDEX first_looks_at ON first_looks (watch, at);
CREATE INDEX first_looks_author ON first_looks (author) WHERE author IS NOT NULL;
CREATE INDEX first_looks_conversation ON first_looks (conversation) WHERE conversation IS NOT NULL;

-- Whether the host's last line below a look is posted. Threads of other events need none.
ALTER TABLE watch_threads ADD COLUMN ended INTEGER NOT NULL DEFAULT 1;
CREATE INDEX watch_threads_unended ON watch_threads (watch, began) WHERE ended = 0;

-- Examples for later looks of a watch; a person's click stores the words.
CREATE TABLE look_corrections (
  id TEXT PRIMARY KEY,
  watch TEXT NOT NULL,
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  post TEXT NOT NULL,
  decided TEXT NOT NULL, -- the corrected decision
  correct TEXT NOT NULL, -- nothing, duplicate, look
  text TEXT NOT NULL,
  author TEXT, -- whose words the text has
  set_by TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX look_corrections_watch ON look_corrections (watch, at);
CREATE INDEX look_corrections_post ON look_corrections (surface, place, post);

-- People whose posts no watch reads.
CREATE TABLE ignored_people (
  surface TEXT NOT NULL,
  person TEXT NOT NULL,
  at INTEGER NOT NULL,
  ended INTEGER, -- the person came back; NULL while the opt-out lasts
  PRIMARY KEY (surface, person)
) STRICT, WITHOUT ROWID;

-- Incident channels that a watch joined because of their names.
CREATE TABLE watch_places (
  watch TEXT NOT NULL,
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (watch, surface, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX watch_places_place ON watch_places (surface, place);
