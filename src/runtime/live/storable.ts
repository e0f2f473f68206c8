/** Limits the nesting of model output: unbounded JSON would break storing it and sending it back. */

import type { AnswerBlock } from "../../thread/prompt.ts";

const DEEPEST = 100;

export const toStorable = (block: AnswerBlock): AnswerBlock =>
  block.kind === "toolUse" && nestsBeyond(block.input, DEEPEST)
    ? { ...block, input: { invalid: `nested deeper than ${DEEPEST} levels` } }
    : block;

/** Stops at the limit, so that the recursion is bounded too. */
const nestsBeyond = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => nestsBeyond(inner, levels - 1));
};
