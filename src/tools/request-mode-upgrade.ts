/**
 * `request_mode_upgrade` (BED-015). A valid call is a question that the core puts to a person and never reaches
 * a tool; what runs here only says what is wrong with an invalid one (row 77).
 */
import { z } from "zod";
import { defineTool, failure, parseInput, type Tool } from "./tool.ts";

const UPGRADE = "request_mode_upgrade";

const MAX_REASON = 2000;

const schema = z.object({
  reason: z
    .string()
    .refine((reason) => reason.trim() !== "", { error: "must say why write access is needed" })
    .max(MAX_REASON, { error: `must have at most ${MAX_REASON} characters` })
    .describe(
      "Explanation of why write access is needed: what is to be changed and what for, and what of it a draft cannot do.",
    ),
});

/** Whether the call is a question for a person. */
export const isUpgradeRequest = (name: string, input: unknown): boolean =>
  name === UPGRADE && parseInput(schema, input).kind === "input";

export const createUpgradeTool = (): Tool =>
  defineTool({
    name: UPGRADE,
    description:
      "Ask a person in the conversation to change it from Restricted to Unrestricted mode, where commands may write in the working directory and `patch` works. Only useful in Restricted mode, and only for what a draft cannot do, such as the network, a service or a command in the background: a change that files alone make is rehearsed with `draft` and shown with `propose`. The person sees the reason and approves or denies; the answer is the result of this call. Ask once, when the work needs it, and do not ask again after a denial.",
    schema,
    tooLarge: `The reason may have ${MAX_REASON} characters.`,
    run: () => Promise.resolve(failure("Only a person can decide this request; no tool carries it out.")),
  });
