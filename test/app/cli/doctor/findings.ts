/** Findings as a person reads them, one line each, and a configuration as the environment would give it. */

import { readingWith } from "../../../../src/app/outward.ts";
import { type Config, readConfig } from "../../../../src/app/settings/config.ts";
import type { DoctorCore } from "../../../../src/feature.ts";
import { NO_FORGE } from "../../../../src/ports/forge-access.ts";
import type { Finding } from "../../../../src/ports/finding.ts";

export const configOf = (env: Readonly<Record<string, string>>): Config => {
  const read = readConfig(env, "/nonexistent");
  if (read.kind === "invalid") throw new Error(read.problems.join());
  return read.config;
};

/** The same with one of its platforms alone. */
export const platformConfigOf = (name: string, env: Readonly<Record<string, string>>): Config => {
  const config = configOf(env);
  return { ...config, platforms: config.platforms.filter((one) => one.name === name) };
};

/** Nothing is stored, configured or reached. */
export const NOTHING_EXAMINED: DoctorCore = {
  version: "0",
  amazon: {
    region: undefined,
    accessKeyId: undefined,
    secretAccessKey: undefined,
    sessionToken: undefined,
  },
  hasConsoleToken: false,
  findSealKey: () => ({ kind: "absent" }),
  reading: readingWith({ otherKeys: {} }),
  repos: [],
  model: null,
  receivesPushes: false,
  stored: () => null,
  sandbox: null,
  archives: NO_FORGE.archives,
  data: "/nonexistent",
  reach: () => Promise.reject(new Error("there is no network")),
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
};

export const lineOf = ({ level, what, found, remedy }: Finding): string =>
  `${level} ${what}: ${found}${remedy === null ? "" : ` -> ${remedy}`}`;

export const linesOf = async (
  findings: AsyncIterable<Finding> | Iterable<Finding>,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const finding of findings) lines.push(lineOf(finding));
  return lines;
};

/** The lines of one kind, without its name. */
export const about = (lines: readonly string[], what: string): readonly string[] =>
  lines.filter((line) => line.includes(` ${what}: `)).map((line) => line.replace(` ${what}: `, " "));
