/** Several hosts that write: who is there, and what is whose. */
export const TWENTY_EIGHTH = `
CREATE TABLE members (
  name TEXT PRIMARY KEY,
  instance TEXT NOT NULL, -- one start of the host
  joined INTEGER NOT NULL -- one more than that of whoever joined before
) STRICT, WITHOUT ROWID;
CREATE TABLE homes (
  home TEXT PRIMARY KEY,
  host TEXT NOT NULL -- free where it is no member
) STRICT, WITHOUT ROWID;
CREATE INDEX homes_host ON homes (host);
`;
