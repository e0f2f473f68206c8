-- What people think of answers. It goes with the words that it is about, whatever takes them.
CREATE TABLE votes (
  conversation TEXT NOT NULL,
  answer TEXT NOT NULL, -- message of the response that the turn ended with
  voter TEXT NOT NULL, -- keyed hash of the person and the answer
  thumb TEXT, -- null: taken back
  reason TEXT,
  click TEXT NOT NULL, -- keyed hash of the gesture that it stands by
  at INTEGER NOT NULL,
  PRIMARY KEY (conversation, answer, voter)
) STRICT, WITHOUT ROWID;
CREATE INDEX votes_at ON votes (at);
CREATE TABLE solved (
  conversation TEXT PRIMARY KEY,
  answer TEXT NOT NULL,
  turn INTEGER NOT NULL, -- whoever asks on begins another one: then it is not solved any more
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX solved_at ON solved (at);
CREATE TRIGGER feedback_gone AFTER UPDATE OF words ON messages
  WHEN new.words IS NULL OR new.words = '{"kind":"gone"}' BEGIN
  DELETE FROM votes WHERE conversation = new.conversation AND answer = new.id;
  DELETE FROM solved WHERE conversation = new.conversation AND answer = new.id;
END;
INSERT INTO notes (name, value) VALUES ('feedback-key', hex(randomblob(32)));
