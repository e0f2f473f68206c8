/** The configuration for a command, or every problem on standard error. */

import { resolve } from "node:path";
import { useOutgoingProxy } from "../../process/outgoing-proxy.ts";
import {
  type Config,
  type ConfigResult,
  type NamedPlaces,
  readConfig,
  type InvalidSettings,
} from "../../settings/config.ts";

const home = resolve(import.meta.dirname, "../../../..");

/**
 * The project's folder: `.env` and the default data directory are found from here. Installed as a package it is the
 * folder that the command is run in, because an update replaces the package's own.
 */
export const projectRoot = home.includes("/node_modules/") ? process.cwd() : home;

export const loadConfig = (): Config | null => {
  const read = findConfig();
  return read.kind === "config" ? read.config : told(read.problems);
};

/** `more`: finds what else is wrong. */
export const loadConfigWith = async (
  more: (unsound: InvalidSettings) => Promise<readonly string[]>,
): Promise<Config | null> => {
  const read = findConfig();
  return read.kind === "config" ? read.config : told([...read.problems, ...(await more(read))]);
};

const told = (problems: readonly string[]): null => {
  console.error("The configuration has problems:");
  for (const problem of problems) console.error(`  ${problem}`);
  console.error("Every setting is described in .env.example.");
  return null;
};

/** The same for a command that has its own way to tell. The proxy of the settings counts from then on. */
export const findConfig = (): ConfigResult => {
  const read = readConfig(process.env, projectRoot);
  if (read.kind === "invalid") return { ...read, places: withData(read.places) };
  for (const notice of read.notices) console.error(`Settings: ${notice}`);
  useOutgoingProxy(read.config);
  return { ...read, config: withData(read.config) };
};

const withData = <T extends NamedPlaces>(named: T): T => ({
  ...named,
  PARLEY_DATA: resolve(projectRoot, named.PARLEY_DATA),
});
