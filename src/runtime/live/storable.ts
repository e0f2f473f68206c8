/** What a model sent, made fit to be stored and sent back: JSON that nests without end would break both. */

import type { AnswerBlock } from "../../thread/prompt.ts";

const DEEPEST = 100;

/** A tool use whose input nests deeper than 100 levels keeps its id and name; tools refuse the rest as invalid. */
export const toStorable = (block: AnswerBlock): AnswerBlock =>
  block.kind === "toolUse" && nestsBeyond(block.input, DEEPEST)
    ? { ...block, input: { invalid: `nested deeper than ${DEEPEST} levels` } }
    : block;

/** Stops at the limit, so its own recursion is bounded too. */
const nestsBeyond = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => nestsBeyond(inner, levels - 1));
};
