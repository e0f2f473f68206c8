/**
 * Parses YAML that other people wrote. The library needs more than quadratic time for some texts (30 KB of `? ` block it for
 * minutes), so a separate thread parses, with limits of time and memory.
 */

import { Worker } from "node:worker_threads";
import { jsonIn } from "../../../text/json.ts";

/** Milliseconds, including the start of the thread. */
const PATIENCE = 3_000;
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** Undefined if the text is no YAML, or if it exceeds the limits. Never rejects. */
export const readForeignYaml = async (text: string, patience = PATIENCE): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const thread = new Worker(new URL("./yaml-thread.ts", import.meta.url), {
    workerData: text,
    execArgv: [],
    resourceLimits: HEAP,
  });
  const timer = setTimeout(() => resolve(undefined), patience);
  thread.on("message", (json: unknown) => resolve(typeof json === "string" ? jsonIn(json) : undefined));
  thread.on("error", () => resolve(undefined));
  thread.on("exit", () => resolve(undefined));
  const value = await promise;
  clearTimeout(timer);
  await thread.terminate();
  return value;
};
