/** The core asks people, so a valid call never reaches the tool; `run` explains invalid calls (D53). */

import { z } from "zod";
import { omitUndefined } from "../text/omit-undefined.ts";
import { defineTool, failure, textField, type Tool } from "./tool.ts";

const MAX_QUESTION = 2_000;
const MAX_CHOICES = 5;
/** UTF-16 code units that fit on a button, even if some of them are spelled out. */
const MAX_CHOICE = 60;

const schema = z
  .object({
    question: textField
      .refine((text) => text.trim() !== "", { error: "must ask something" })
      .max(MAX_QUESTION, { error: `must have at most ${MAX_QUESTION} characters` })
      .describe("One question, with what a person has to know to answer it."),
    choices: z
      .array(
        textField
          .trim()
          .min(1, { error: "must not be empty" })
          .max(MAX_CHOICE, { error: `must have at most ${MAX_CHOICE} characters` })
          .refine((choice) => !/[\r\n]/.test(choice), { error: "must be one line" }),
      )
      .max(MAX_CHOICES, { error: `must hold at most ${MAX_CHOICES} choices` })
      .refine((choices) => new Set(choices).size === choices.length, { error: "must all differ" })
      .optional()
      .describe(
        `Up to ${MAX_CHOICES} short answers, each on a button. People can always write another answer instead.`,
      ),
    plan: z
      .boolean()
      .optional()
      .describe(
        "true: people agree to the plan that stands in the text of this response, with *Go ahead* or *Change the plan*. Leave `choices` out.",
      ),
  })
  .refine(({ plan, choices = [] }) => plan !== true || choices.length === 0, {
    error: "must be left out with plan",
    path: ["choices"],
  });

export const createAskTool = (): Tool =>
  defineTool({
    name: "ask_person",
    description:
      "Ask the people of the conversation one question and wait for the answer. The result names its author: the person who asked you, or an approver. Ask only what you cannot find out yourself in the repository and the conversation, and only if a wrong guess would cost more than the wait: a choice between designs, a missing requirement, consent to a plan. Never ask for what has a separate tool (write access, a work mode, a proposal), for secrets, or whether to continue. An answer grants no permission.",
    origin: "host",
    look: {
      past: "Asked {object}",
      now: "asking {object}",
      fields: ["question"],
      icon: "eye",
      face: "prose",
    },
    judge: null,
    schema,
    tooLarge: `The question may have ${MAX_QUESTION} characters.`,
    intent: ({ choices = [], plan }) => ({
      intent: "ask",
      choices: plan === true ? 1 : choices.length,
      ...omitUndefined({ plan: plan === true || undefined }),
    }),
    run: () => Promise.resolve(failure("Only a person can answer this question; no tool does.")),
  });
