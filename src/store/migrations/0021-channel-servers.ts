/** The MCP servers that a channel has switched on. */
export const TWENTY_FIRST = `
ALTER TABLE channels ADD COLUMN servers TEXT NOT NULL DEFAULT '[]'; -- JSON
`;
