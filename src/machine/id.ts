/** The shell makes random ids for conversations and messages. Effect and question ids derive from the state's counter (D10). */

/** Milliseconds: since the Unix epoch for an instant, a duration for a delay. */
export type Millis = number;

export const HOUR: Millis = 3_600_000;
export const DAY: Millis = 24 * HOUR;

export type ConversationId = `c-${string}`;

/** Row with the text of a person, a model or a tool. */
export type MessageId = `m-${string}`;

/** The effect of step `seq` that awaits an answer. A step has at most one such effect. */
export type EffectId = `e${number}`;

/** The question asked by step `seq`. Buttons have a random wire id that the store maps to this id. */
export type QuestionId = `q${number}`;

/** `surface:id`, such as `console:operator` or `slack:U024BE7LH`; never a display name (D2). */
export type PersonId = `${string}:${string}`;

/** The model's own id of a tool use, unique within one response. */
export type ToolUseId = string;
