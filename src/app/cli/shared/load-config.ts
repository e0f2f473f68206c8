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

/** An installed package uses the folder in which the command runs, because an update replaces the package's folder. */
export const projectRoot = home.includes("/node_modules/") ? process.cwd() : home;

export const loadConfig = (): Config | null => {
  const read = findConfig();
  return read.kind === "config" ? read.config : told(read.problems);
};

/** `more`: finds further problems if the settings are invalid. */
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

/** Prints no problems. The proxy in the settings applies from then on. */
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
