/** What the conversations of a channel know beside their checkout. */
export const TWENTY_SECOND = `
ALTER TABLE channels ADD COLUMN knowledge TEXT NOT NULL DEFAULT '[]'; -- JSON
`;
