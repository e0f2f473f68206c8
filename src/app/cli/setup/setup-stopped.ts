/** Ends `parley setup` before anything is written. The message is one sentence that says what to do. */
export class SetupStopped extends Error {}

export const sentenceOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);

/** Ends a text with a period if it ends without a mark. */
export const asSentence = (text: string): string => (/[.!?:]$/.test(text.trimEnd()) ? text : `${text}.`);
