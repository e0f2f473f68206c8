/**
 * `submit_result` and `submit_error`, with which a sub-agent ends (BED-008.2, C20). A valid call never reaches a tool;
 * what runs here only says what is wrong with another one.
 */

import { z } from "zod";
import type { Intent } from "../machine/words.ts";
import { defineTool, failure, parseInput, type Tool } from "./tool.ts";

const RESULT = "submit_result";
const ERROR = "submit_error";

const said = (what: string) => z.string().refine((text) => text.trim() !== "", { error: `must say ${what}` });

const resultSchema = z.object({
  result: said("what was found").describe("The result, complete in itself: nothing else of yours is read."),
  success: z.boolean().optional().describe("false where the task could not be done. Default: true."),
});

const errorSchema = z.object({
  error: said("what went wrong").describe("Why the task cannot be done, and what was found so far."),
});

/** Null where the call hands nothing in. */
export const submitIntent = (name: string, input: unknown): Intent | null => {
  if (name === RESULT) {
    const parsed = parseInput(resultSchema, input);
    return parsed.kind === "invalid" ? null : { intent: "submit", success: parsed.input.success ?? true };
  }
  if (name !== ERROR || parseInput(errorSchema, input).kind === "invalid") return null;
  return { intent: "submit", success: false };
};

export const createSubmitTools = (): readonly Tool[] => [
  defineTool({
    name: RESULT,
    description:
      "Hand in the result of your task. This ends your work, so call it once, at the end, and as the only call of the response.",
    schema: resultSchema,
    tooLarge: "Submit a shorter result.",
    run: () => Promise.resolve(failure(NOT_HERE)),
  }),
  defineTool({
    name: ERROR,
    description:
      "Say that the task cannot be done, and why. This ends your work; it must be the only call of the response.",
    schema: errorSchema,
    tooLarge: "Submit a shorter error.",
    run: () => Promise.resolve(failure(NOT_HERE)),
  }),
];

const NOT_HERE = "No tool carries this out.";
