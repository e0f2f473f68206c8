/** The configuration for a command, or every problem on standard error. */

import { resolve } from "node:path";
import { type Config, readConfig } from "../config.ts";

const home = resolve(import.meta.dirname, "../..");

/**
 * The project's folder: `.env` and the default data directory are found from here. Installed as a package it is the
 * folder that the command is run in, because an update replaces the package's own.
 */
export const projectRoot = home.includes("/node_modules/") ? process.cwd() : home;

export const loadConfig = (): Config | null => {
  const read = readConfig(process.env, projectRoot);
  if (read.kind === "config")
    return { ...read.config, PARLEY_DATA: resolve(projectRoot, read.config.PARLEY_DATA) };
  console.error("The configuration has problems:");
  for (const problem of read.problems) console.error(`  ${problem}`);
  console.error("Every setting is described in .env.example.");
  return null;
};
