/** The settings of several hosts and those of the core, as the environment gives them. */

import { coreSettings } from "../../../src/app/settings/core-settings.ts";
import { foundSealKey } from "../../../src/app/settings/seal-key.ts";
import { clusterSettings } from "../../../src/features/cluster/settings/settings.ts";
import { configOf } from "../../app/cli/doctor/findings.ts";

export const configured = (env: Readonly<Record<string, string>>) => {
  const config = configOf(env);
  return {
    settings: clusterSettings.parse(env),
    core: {
      ...coreSettings(config),
      hasConsoleToken: config.PARLEY_CONSOLE_TOKEN !== undefined,
      findSealKey: () => foundSealKey(config),
    },
    console: { address: config.PARLEY_HOST, port: config.PARLEY_PORT },
  };
};
