/** Settings as they would be after setup: environment, `.env` and the answers so far. */

import { resolve } from "node:path";
import { type Config, readConfig, writtenSetting } from "../../settings/config.ts";
import { asSentence } from "./setup-stopped.ts";

export interface PlannedSettings {
  /** Value in `.env` alone; null if unset. */
  readonly stored: (name: string) => string | null;
  /** Value in force without the answers; null if unset. */
  readonly inForce: (name: string) => string | null;
  /** First problem with the answers, otherwise the configuration with them. Other settings that are invalid count as unset. */
  readonly configWith: (
    answers: Readonly<Record<string, string>>,
  ) =>
    | { readonly kind: "config"; readonly config: Config; readonly others: readonly string[] }
    | { readonly kind: "refused"; readonly why: string };
}

export const createPlannedSettings = (env: NodeJS.ProcessEnv, root: string): PlannedSettings => {
  const sound = (config: Config, others: readonly string[]) =>
    ({
      kind: "config",
      config: { ...config, PARLEY_DATA: resolve(root, config.PARLEY_DATA) },
      others,
    }) as const;

  return {
    stored: (name) => writtenSetting(name, {}, root),
    inForce: (name) => writtenSetting(name, env, root),
    configWith: (answers) => {
      const first = readConfig({ ...env, ...answers }, root);
      if (first.kind === "config") return sound(first.config, []);
      const own = first.problems.find((problem) => nameIn(problem) in answers);
      if (own !== undefined) return { kind: "refused", why: asSentence(own) };
      const unset = Object.fromEntries(first.problems.map((problem) => [nameIn(problem), ""]));
      const second = readConfig({ ...env, ...unset, ...answers }, root);
      return second.kind === "config"
        ? sound(second.config, first.problems)
        : {
            kind: "refused",
            why: `${second.problems[0] ?? "The settings are invalid"}. Correct .env first.`,
          };
    },
  };
};

const nameIn = (problem: string): string => /^\w+/.exec(problem)?.[0] ?? "";
