/**
 * Names of things. Template types keep one kind of id from standing in for another without a cast.
 *
 * Ids that others can hold (conversations, messages, wire ids of questions and posts) are random and made by
 * the shell; ids of the core derive from the state's own counter and stay inside (D10).
 */

/** Milliseconds since the Unix epoch where it names an instant; a length of time where it names a delay. */
export type Millis = number;

export const HOUR: Millis = 3_600_000;
export const DAY: Millis = 24 * HOUR;

/** Random, made by the shell; the thread's address everywhere. */
export type ConversationId = `c-${string}`;

/** A row of words (what a person, a model or a tool said); random, made by the shell. */
export type MessageId = `m-${string}`;

/** The effect of step `seq` that awaits an answer; a step asks for at most one. */
export type EffectId = `e${number}`;

/** The question put by step `seq`. Buttons carry a random wire id that the store maps to this. */
export type QuestionId = `q${number}`;

/** `surface:id`, such as `console:operator` or `slack:U024BE7LH`; never a display name (D2). */
export type PersonId = `${string}:${string}`;

/** The model's own id of a tool use, unique within one response. */
export type ToolUseId = string;
