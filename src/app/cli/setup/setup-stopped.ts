/** Ends `parley setup` before anything is written. The message is one sentence that says what to do. */
export class SetupStopped extends Error {}

export const sentenceOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
