/** Whether a stream holds a second answer: a proxy that repeats a request may send two in one (WM6). */

import { fieldIn } from "../../text/json.ts";

/**
 * Whether a chunk belongs to a second answer: its id differs after two chunks had the same. Servers that give each chunk an
 * id of its own never repeat one.
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

/** Whether a chunk, as the provider sent it, belongs to a second answer. */
export type Splice = () => (chunk: unknown) => boolean;

/** Gemini names its answer in each chunk. */
export const geminiSplice: Splice = () => {
  const isOfAnother = createSpliceCheck();
  return (chunk) => isOfAnother(fieldIn(chunk, "responseId"));
};

/** Bedrock names none: a second answer begins after blocks of the first. */
export const bedrockSplice: Splice = () => {
  let hasBlocks = false;
  return (chunk) => {
    hasBlocks ||=
      fieldIn(chunk, "contentBlockStart") !== undefined || fieldIn(chunk, "contentBlockDelta") !== undefined;
    return hasBlocks && fieldIn(chunk, "messageStart") !== undefined;
  };
};
