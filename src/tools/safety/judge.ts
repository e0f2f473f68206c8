/**
 * BASH-007 for the bash tool, without holding up the host: a plain command is judged where it stands, anything else in
 * a process beside, for a limited time. A courtesy like the rest of this folder (shell.ts), so a script that could not
 * be read to its end is not refused for that; whoever asked is told (`Verdict.complete`).
 */
import { z } from "zod";
import { createProcess } from "./process.ts";
import type { ShellParser } from "../shell/shell.ts";
import { type Verdict, verdictOf } from "./refusals.ts";

/** Null when `signal` was aborted before there was a verdict. Never rejects. */
export type Judge = (script: string, signal: AbortSignal) => Promise<Verdict | null>;

/** A reading stops after 1 s of processor time by itself; this is for a busy machine, and for all that does not stop. */
const LIMIT_MS = 10_000;

export const createJudge = (
  shell: () => Promise<Pick<ShellParser, "glance" | "skim">>,
  limitMs = LIMIT_MS,
): Judge => {
  const file = new URL("./reader-process.ts", import.meta.url);
  const reading = createProcess<string, Verdict>({ file, answer: Answer, limitMs });
  return async (script, signal) => {
    const { glance, skim } = await shell();
    const parsed = glance(script);
    if (parsed !== null) return verdictOf(parsed);
    const asked = await reading.ask(script, signal);
    if (asked.kind === "answer") return asked.answer;
    return asked.kind === "aborted" ? null : verdictOf(skim(script));
  };
};

const Answer: z.ZodType<Verdict> = z.object({ refusal: z.string().nullable(), complete: z.boolean() });
