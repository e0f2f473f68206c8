/** The newest posts of a conversation are found without the others. */
export const TWENTY_EIGHTH = `
CREATE INDEX posts_placed ON posts (conversation, ordinal);
`;
