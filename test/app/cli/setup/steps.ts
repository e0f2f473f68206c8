/** Steps of setup without a terminal: answers from a table, and a record of what was printed. */

import { createAsker } from "../../../../src/app/cli/setup/asker.ts";
import { createPlannedSettings } from "../../../../src/app/cli/setup/planned-settings.ts";
import { scratch } from "../../../scratch.ts";

export const stepDeps = (answers: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}) => {
  const planned = createPlannedSettings(env, scratch("steps"));
  const given = (name: string): string | null => answers[name] ?? env[name] ?? null;
  return { planned, given, asker: createAsker({ given, stored: planned.stored }, null) };
};
