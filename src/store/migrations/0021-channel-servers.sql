-- The MCP servers that a channel has switched on.
ALTER TABLE channels ADD COLUMN servers TEXT NOT NULL DEFAULT '[]'; -- JSON
