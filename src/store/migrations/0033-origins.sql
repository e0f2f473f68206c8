-- Whose text the result of a call is, and that the end of a host cut a call off, stand in the rows themselves.
UPDATE messages SET entry = json_set(entry, '$.origin',
  CASE WHEN json_extract(entry, '$.outcome.kind') <> 'ran' THEN 'host'
  ELSE CASE json_extract(entry, '$.call.name')
    WHEN 'read_issue' THEN 'forge'
    WHEN 'search_issues' THEN 'forge'
    WHEN 'read_pull_request' THEN 'forge'
    WHEN 'read_checks' THEN 'forge'
    WHEN 'search_knowledge' THEN 'web'
    WHEN 'mcp_tools' THEN 'server'
    WHEN 'mcp_call' THEN 'server'
    WHEN 'spawn_agents' THEN 'model'
    ELSE 'checkout' END
  END)
WHERE kind = 'result' AND json_valid(entry);

UPDATE messages SET entry = json_set(entry, '$.outcome.cut', json('true'))
WHERE kind = 'result' AND json_valid(entry) AND json_extract(entry, '$.outcome.kind') = 'host'
  AND json_extract(entry, '$.outcome.text') = '[Tool execution interrupted by server restart]';

-- A result that no entry names came while its turn was being stopped, and nothing depends on whose text it is.
UPDATE events SET event = json_set(event, '$.origin', coalesce(
  (SELECT json_extract(entry, '$.origin') FROM messages WHERE json_valid(entry) AND id = json_extract(event, '$.message')), 'checkout'))
WHERE json_valid(event) AND json_extract(event, '$.kind') = 'ran';

-- The text of a post is canonical: its keys are in order.
UPDATE posts SET body = replace(body,
  '"decision":null,"isError":true,"kind":"host","text":"[Tool execution interrupted by server restart]"',
  '"cut":true,"decision":null,"isError":true,"kind":"host","text":"[Tool execution interrupted by server restart]"')
WHERE instr(body, '[Tool execution interrupted by server restart]') > 0;
