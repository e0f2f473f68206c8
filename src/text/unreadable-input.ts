/** Tool inputs that are no JSON object, or that no later request could contain, with the sentence that names the problem. */

import { isRecord } from "./json.ts";

/** Key of the object that replaces an unreadable input; the value is the text as received. */
export const UNREADABLE_INPUT = "unreadable_input";

export const unreadableInputText = (input: unknown): string | null => {
  if (!isRecord(input) || !Object.hasOwn(input, UNREADABLE_INPUT) || Object.keys(input).length !== 1)
    return null;
  const received = input[UNREADABLE_INPUT];
  if (typeof received !== "string") return NO_OBJECT;
  try {
    const parsed: unknown = JSON.parse(received);
    return isRecord(parsed) ? HALF : NO_OBJECT;
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message.toWellFormed().slice(0, 200) : "unreadable";
    return `the arguments are not valid JSON (${why}). Call again with one complete JSON object`;
  }
};

const NO_OBJECT = "the arguments are not a JSON object. Call again with one JSON object";
const HALF =
  "the arguments contain half of a surrogate pair (a \\uD800 to \\uDFFF escape without its other half). Call again with whole characters";
