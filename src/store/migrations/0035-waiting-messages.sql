CREATE INDEX conversations_with_waiting ON conversations (id) WHERE json_array_length(state, '$.waiting') > 0;
