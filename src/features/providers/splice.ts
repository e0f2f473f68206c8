/** Detects a second answer in a stream: a proxy that repeats a request may send two (WM6). */

import { fieldIn } from "../../text/json.ts";

/**
 * Returns a check whether a chunk belongs to a second answer: its id differs after two chunks had the same id. Servers with a
 * different id in each chunk never repeat an id.
 */
export const createSpliceCheck = (): ((id: unknown) => boolean) => {
  let last: unknown;
  let isStable = false;
  return (id) => {
    if (typeof id !== "string" || id === "") return false;
    if (isStable) return id !== last;
    isStable = id === last;
    last = id;
    return false;
  };
};

/** Creates a check whether a raw chunk of the provider belongs to a second answer. */
export type Splice = () => (chunk: unknown) => boolean;

/** Gemini repeats the id of the answer in each chunk. */
export const geminiSplice: Splice = () => {
  const isOfAnother = createSpliceCheck();
  return (chunk) => isOfAnother(fieldIn(chunk, "responseId"));
};

/** Bedrock sends no ids: a message start after blocks begins a second answer. */
export const bedrockSplice: Splice = () => {
  let hasBlocks = false;
  return (chunk) => {
    hasBlocks ||=
      fieldIn(chunk, "contentBlockStart") !== undefined || fieldIn(chunk, "contentBlockDelta") !== undefined;
    return hasBlocks && fieldIn(chunk, "messageStart") !== undefined;
  };
};
