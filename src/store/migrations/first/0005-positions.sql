-- Schema 5: where messages stand among what people wrote, and how far each thread and each channel (root '') is
-- handled and answered. Positions are compared by length, then by text (src/ports/chat-rows.ts).
ALTER TABLE inbox ADD COLUMN place TEXT; -- null for what is no message
ALTER TABLE inbox ADD COLUMN root TEXT;
ALTER TABLE inbox ADD COLUMN position TEXT;
ALTER TABLE inbox ADD COLUMN loose INTEGER NOT NULL DEFAULT 0; -- 1: something before it may have been missed
CREATE INDEX inbox_loose ON inbox (surface) WHERE loose = 1;
CREATE INDEX inbox_order ON inbox (surface, place, root, length(position), position);
CREATE INDEX inbox_top ON inbox (surface, place, length(position), position) WHERE root = position;

CREATE TABLE cursors (
  surface TEXT NOT NULL,
  place TEXT NOT NULL,
  root TEXT NOT NULL,
  position TEXT NOT NULL,
  PRIMARY KEY (surface, place, root)
) STRICT, WITHOUT ROWID;
