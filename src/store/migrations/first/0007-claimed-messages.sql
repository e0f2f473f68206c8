-- A claim knows the words that it became, so that a message which is deleted can be found and erased.
ALTER TABLE claims ADD COLUMN message TEXT; -- null where it was refused, and in rows of before that match no words
CREATE INDEX claims_of ON claims (conversation, arrival);
CREATE INDEX conversations_origin ON conversations (origin ->> 'conversation') WHERE origin IS NOT NULL;
UPDATE claims SET message = (
  SELECT messages.id FROM messages
  WHERE messages.conversation = claims.conversation AND messages.kind = 'said'
    AND messages.words ->> 'text' = claims.body ->> 'text'
  LIMIT 1) WHERE outcome ->> 'kind' = 'accepted';
UPDATE claims SET body = json_set(body, '$.source', replace(id, rtrim(id, replace(id, '/', '')), ''))
  WHERE id LIKE 'message/%';
