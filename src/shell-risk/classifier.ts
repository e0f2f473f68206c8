/**
 * Classifies calls without blocking the host: plain commands in this process, all other commands in a separate process with a
 * time limit. An incompletely read command gets EXEC_ARBITRARY in addition to its other findings. BASH-007 does not refuse such
 * a command; the caller is informed instead.
 */
import { z } from "zod";
import { DANGER_CATEGORIES, RISKS } from "./danger/danger.ts";
import { createProcess } from "./process.ts";
import { classify, type ClassifiedCall, type ToolUse, unreadable } from "./classify.ts";
import type { CheckoutFacts } from "./danger/facts.ts";

/** Null if `signal` was aborted before the result. Never rejects. */
export type Classifier = (
  call: ToolUse,
  facts: CheckoutFacts,
  signal: AbortSignal,
) => Promise<ClassifiedCall | null>;

/** A read stops by itself after 1 s of processor time. This limit is for a busy machine and for hangs. */
const LIMIT_MS = 10_000;

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
