-- Conversations that were given an answer again, by the conversation that the answer is from: an erasure visits them.
CREATE INDEX messages_reused ON messages (entry ->> '$.notice.from', conversation)
  WHERE kind = 'notice' AND json_valid(entry) AND entry ->> '$.notice.kind' = 'reused';
