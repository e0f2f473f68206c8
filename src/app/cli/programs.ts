/** Commands of features, which run with the settings of their feature. */

import { FEATURES } from "../features/list.ts";
import { complain } from "./shared/complain.ts";
import { loadConfig } from "./shared/load-config.ts";
import { coreSettings } from "../settings/core-settings.ts";

const PROGRAMS = FEATURES.flatMap(({ name: feature, programs }) =>
  programs.map((one) => ({ ...one, feature })),
);

export const programLines: readonly (readonly [call: string, meaning: string])[] = PROGRAMS.map(
  ({ name, options, does }) => [`${name} ${options}`, does],
);

/** Null if no feature has the command, otherwise the exit status. */
export const runProgram = async (command: string, args: readonly string[]): Promise<number | null> => {
  const program = PROGRAMS.find(({ name }) => name === command);
  if (program === undefined) return null;
  const { feature, options, hint, accepts } = program;
  if (!accepts(args))
    return complain(`Usage: parley ${command} ${options}${hint === undefined ? "" : `   (${hint})`}`);
  const config = loadConfig();
  if (config === null) return 1;
  const run = config.features.find(({ name }) => name === feature)?.programs[command];
  const result = await run?.(args, coreSettings(config));
  if (result === undefined) return 1;
  if (result.kind === "failed") return complain(result.why);
  console.log(result.text);
  return 0;
};
