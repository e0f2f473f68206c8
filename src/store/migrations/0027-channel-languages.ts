/** The language that the host speaks in a channel. */
export const TWENTY_SEVENTH = `
ALTER TABLE channels ADD COLUMN language TEXT; -- null: the platform's or the usual one
`;
