-- Words and titles that are searched, beside the rows they stand in; what the operator is told, once each. Whatever
-- rewrites or deletes words takes them out of the index in the same transaction, by the triggers here: nobody has to
-- remember it. What was written since is indexed afterwards (src/store/tables/search.ts).
CREATE VIRTUAL TABLE search USING fts5 (text, tokenize = "unicode61 remove_diacritics 2");
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);

CREATE TABLE searched (
  n INTEGER PRIMARY KEY, -- rowid in search
  conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  message TEXT UNIQUE REFERENCES messages (id) ON DELETE CASCADE -- null: the title
) STRICT;
CREATE INDEX searched_conversation ON searched (conversation);

CREATE TABLE unsearched ( -- written anew; messages that are only new are found by their rowid
  n INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  message TEXT REFERENCES messages (id) ON DELETE CASCADE -- null: the title
) STRICT;
CREATE INDEX unsearched_conversation ON unsearched (conversation);
CREATE INDEX unsearched_message ON unsearched (message);

CREATE TABLE search_reached (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  message INTEGER NOT NULL -- rowid of the last message that was looked at
) STRICT;
INSERT INTO search_reached VALUES (1, 0);
INSERT INTO unsearched (conversation) SELECT id FROM conversations WHERE user_initiated = 1;

CREATE TRIGGER searched_deleted AFTER DELETE ON searched BEGIN
  DELETE FROM search WHERE rowid = old.n;
END;
CREATE TRIGGER conversations_titled AFTER INSERT ON conversations WHEN new.user_initiated = 1 BEGIN
  INSERT INTO unsearched (conversation) VALUES (new.id);
END;
CREATE TRIGGER conversations_retitled AFTER UPDATE OF title ON conversations WHEN new.user_initiated = 1 BEGIN
  DELETE FROM searched WHERE conversation = old.id AND message IS NULL;
  INSERT INTO unsearched (conversation) VALUES (new.id);
END;
CREATE TRIGGER messages_rewritten AFTER UPDATE OF words ON messages BEGIN
  DELETE FROM searched WHERE message = old.id;
  INSERT INTO unsearched (conversation, message) SELECT new.conversation, new.id WHERE new.words IS NOT NULL;
END;
CREATE TRIGGER messages_deleted AFTER DELETE ON messages BEGIN -- its rowid may be given again
  UPDATE search_reached SET message = min(message, (SELECT coalesce(max(rowid), 0) FROM messages));
END;

CREATE TABLE alerts (
  key TEXT PRIMARY KEY NOT NULL,
  facts TEXT NOT NULL, -- JSON: its kind, ids, names and numbers; nobody's words
  began INTEGER NOT NULL,
  ended INTEGER, -- null while it lasts
  told TEXT NOT NULL CHECK (told IN ('nothing', 'began', 'ended'))
) STRICT, WITHOUT ROWID;

CREATE TABLE notes ( -- what the host remembers of itself from one start to the next
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
