-- A start, and every look at the figures, find the conversations at work without reading all of them.
DROP INDEX conversations_unsettled;
CREATE INDEX conversations_at_work ON conversations (phase)
  WHERE phase IN ('thinking', 'running', 'stopping', 'summarizing');
