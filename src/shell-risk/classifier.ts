/**
 * Classification for the host, without holding it up: a plain command is classified where it stands, anything else in
 * a process beside, for a limited time. What could not be read to its end is EXEC_ARBITRARY beside what was found, and
 * is not refused for that (BASH-007): whoever asked is told.
 */
import { z } from "zod";
import { DANGER_CATEGORIES, RISKS } from "./danger/danger.ts";
import { createProcess } from "./process.ts";
import { classify, type ClassifiedCall, type ToolUse, unreadable } from "./classify.ts";
import type { CheckoutFacts } from "./danger/facts.ts";

/** Null when `signal` was aborted before there was an answer. Never rejects. */
export type Classifier = (
  call: ToolUse,
  facts: CheckoutFacts,
  signal: AbortSignal,
) => Promise<ClassifiedCall | null>;

/** A reading stops after 1 s of processor time by itself; this is for a busy machine, and for all that does not stop. */
const LIMIT_MS = 10_000;

/** What the process is asked. */
export interface ClassifierQuestion {
  readonly call: ToolUse;
  readonly facts: CheckoutFacts;
}

export const createClassifier = (limitMs = LIMIT_MS): Classifier => {
  const file = new URL("./classifier-process.ts", import.meta.url);
  const reading = createProcess<ClassifierQuestion, ClassifiedCall>({ file, answer: Answer, limitMs });
  return async (call, facts, signal) => {
    const { createGlances, skim } = await import("./shell/shell.ts");
    const glanced = classify(call, facts, createGlances());
    if (glanced.complete || glanced.refusal !== null) return glanced;
    const asked = await reading.ask({ call, facts }, signal);
    switch (asked.kind) {
      case "answer":
        return asked.answer;
      case "unread":
        return unreadable(call, glanced, skim);
      case "aborted":
        return null;
    }
  };
};

const Answer: z.ZodType<ClassifiedCall> = z.object({
  refusal: z.string().nullable(),
  dangers: z.array(
    z.object({
      category: z.enum(DANGER_CATEGORIES),
      what: z.string(),
      why: z.string(),
      risk: z.enum(RISKS),
      changes: z.array(z.string()).max(3),
    }),
  ),
  unsettled: z.array(z.string()),
  runs: z.array(z.string()),
  complete: z.boolean(),
});
