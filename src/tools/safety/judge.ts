/**
 * BASH-007 for the bash tool, without holding up the host: a plain command is judged where it stands, anything else in
 * a thread beside, for a limited time. A courtesy like the rest of this folder (shell.ts), so a script that could not
 * be read to its end is not refused for that; whoever asked is told (`Verdict.complete`).
 */
import { createReader } from "./reader.ts";
import type { ShellParser } from "./shell.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** Null when `signal` was aborted before there was a verdict. Never rejects. */
export type Judge = (script: string, signal: AbortSignal) => Promise<Verdict | null>;

export const createJudge = (shell: Pick<ShellParser, "glance">): Judge => {
  const reader = createReader();
  return (script, signal) => {
    const parsed = shell.glance(script);
    return parsed === null ? reader.read(script, signal) : Promise.resolve(verdictOf(parsed));
  };
};
