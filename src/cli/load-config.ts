/** The configuration for a command, or every problem on standard error. */

import { resolve } from "node:path";
import { type Config, readConfig } from "../config.ts";

/** The project's folder: `.env` and the default data directory are found from here. */
export const projectRoot = resolve(import.meta.dirname, "../..");

export const loadConfig = (): Config | null => {
  const read = readConfig(process.env, projectRoot);
  if (read.kind === "config")
    return { ...read.config, PARLEY_DATA: resolve(projectRoot, read.config.PARLEY_DATA) };
  console.error("The configuration has problems:");
  for (const problem of read.problems) console.error(`  ${problem}`);
  console.error("Every setting is described in .env.example.");
  return null;
};
