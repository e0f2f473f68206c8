/** A valid call ends a sub-agent and never reaches the tool; `run` only explains an invalid call (BED-008.2, C20). */

import { z } from "zod";
import { defineTool, failure, type Tool } from "./tool.ts";

const said = (what: string) => z.string().refine((text) => text.trim() !== "", { error: `must say ${what}` });

export const createSubmitTools = (): readonly Tool[] => [
  defineTool({
    name: "submit_result",
    description:
      "Hand in the result of your task. This ends your work, so call it once, at the end, and as the only call of the response.",
    origin: "host",
    look: {
      past: "Submitted a result",
      now: "submitting a result",
      fields: [],
      icon: "check",
      face: "prose",
    },
    judge: null,
    schema: z.object({
      result: said("what was found").describe(
        "The result, complete in itself: nothing else of yours is read.",
      ),
      success: z.boolean().optional().describe("false where the task could not be done. Default: true."),
    }),
    tooLarge: "Submit a shorter result.",
    intent: ({ success = true }) => ({ intent: "submit", success }),
    run: () => Promise.resolve(failure(NOT_HERE)),
  }),
  defineTool({
    name: "submit_error",
    description:
      "Say that the task cannot be done, and why. This ends your work; it must be the only call of the response.",
    origin: "host",
    look: {
      past: "Reported a problem",
      now: "reporting a problem",
      fields: [],
      icon: "check",
      face: "prose",
    },
    judge: null,
    schema: z.object({
      error: said("what went wrong").describe("Why the task cannot be done, and what was found so far."),
    }),
    tooLarge: "Submit a shorter error.",
    intent: () => ({ intent: "submit", success: false }),
    run: () => Promise.resolve(failure(NOT_HERE)),
  }),
];

const NOT_HERE = "No tool carries this out.";
