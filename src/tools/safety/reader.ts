/** Reads scripts for BASH-007 in a thread beside, for a limited time. */
import { z } from "zod";
import { createThread } from "./thread.ts";
import type { Verdict } from "./verdict.ts";

export interface Reader {
  /** Null when `signal` was aborted before the verdict. Never rejects. */
  read(script: string, signal: AbortSignal): Promise<Verdict | null>;
}

/** The reading itself stops after 1 s of processor time, with what it has; this is for all that does not stop. */
const LIMIT_MS = 2_000;

/** The script may have earned a refusal, but that would have been a courtesy. */
const UNREAD: Verdict = { refusal: null, complete: false };

/** `limitMs` counts from the moment when a thread that is ready gets the script. */
export const createReader = (limitMs = LIMIT_MS): Reader => {
  const file = new URL("./reader-thread.ts", import.meta.url);
  const thread = createThread<string, Verdict>({ file, answer: Answer, limitMs });
  return {
    read: async (script, signal) => {
      const asked = await thread.ask(script, signal);
      switch (asked.kind) {
        case "answer":
          return asked.answer;
        case "unread":
          return UNREAD;
        case "aborted":
          return null;
      }
    },
  };
};

const Answer: z.ZodType<Verdict> = z.object({ refusal: z.string().nullable(), complete: z.boolean() });
