/** The model that answers in the conversations of a channel. */
export const NINETEENTH = `
ALTER TABLE channels ADD COLUMN model TEXT; -- null: the usual one
`;
