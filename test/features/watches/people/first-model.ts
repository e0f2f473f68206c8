/** A scripted model: decides about posts as their words say, and answers everything else with its number. */

import * as z from "zod";
import type { ModelOutcome } from "../../../../src/ports/model.ts";
import type { PromptMessage } from "../../../../src/thread/prompt.ts";
import { told } from "../../../adapters/rig.ts";
import { textAnswer } from "../../../runtime/world.ts";

const asked = z.object({
  task: z.string(),
  post: z.string(),
  notes: z.array(z.string()),
  matters: z.array(z.object({ title: z.string(), link: z.string(), kind: z.string() })),
  examples: z.array(z.object({ post: z.string(), decision: z.string() })),
});
export type AskedLook = z.output<typeof asked>;

const BEGINS = "First look at a post.\n";

/** Null for requests of threads. */
export const lookIn = (messages: readonly PromptMessage[]): AskedLook | null => {
  const text = told(messages);
  return text.startsWith(BEGINS) ? asked.parse(JSON.parse(text.slice(BEGINS.length))) : null;
};

export const deciding =
  (decide: (look: AskedLook) => unknown, answer: string | null = null) =>
  (messages: readonly PromptMessage[], no: number): ModelOutcome => {
    const look = lookIn(messages);
    if (look === null) return textAnswer(answer ?? `Answer ${no}.`);
    const decided = decide(look);
    const outcome = textAnswer(typeof decided === "string" ? decided : JSON.stringify(decided));
    return outcome.kind === "answered"
      ? { ...outcome, usage: { ...outcome.usage, costMicroUsd: 100 } }
      : outcome;
  };

/** Posts with the word `crash` are worth a look. */
export const crashes = ({ post }: AskedLook): unknown => ({
  decision: /crash/i.test(post) ? "look" : "nothing",
  link: null,
  reason: `It says ${post.slice(0, 60)}.`,
});
