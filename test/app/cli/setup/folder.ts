/** A folder in which the command of this tree is installed by links, so that its `.env` and data are the test's own. */

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../../scratch.ts";
import { root } from "../host.ts";

const LINKS = ["bin", "src", "adapters", "sandbox", "node_modules", "package.json"] as const;

export interface SetupFolder {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  /** Program and arguments of `parley setup`. */
  readonly command: (...args: readonly string[]) => readonly string[];
  /** Runs it without a terminal. */
  readonly run: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number | null; readonly out: string; readonly errors: string }>;
  /** Text of `.env`; null if there is none. */
  readonly settings: () => string | null;
  /** Names of everything that setup could have made. */
  readonly made: () => readonly string[];
  readonly mode: () => string;
}

const command = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  "--preserve-symlinks",
  "--preserve-symlinks-main",
  "bin/parley.js",
  "setup",
  ...args,
];

export const setupFolder = (name: string): SetupFolder => {
  const path = scratch(name);
  for (const link of LINKS) symlinkSync(join(root, link), join(path, link));
  const file = join(path, ".env");
  const env = { PATH: process.env["PATH"], HOME: path, PARLEY_PORT: "0" };
  return {
    path,
    env,
    command,
    run: (args, more = {}) =>
      new Promise((resolve) => {
        const [program = "", ...rest] = command(...args);
        const child = spawn(program, rest, {
          cwd: path,
          env: { ...env, ...more },
          stdio: ["ignore", "pipe", "pipe"],
        });
        let out = "";
        let errors = "";
        child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
        child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
        child.once("close", (status) => resolve({ status, out, errors }));
      }),
    settings: () => (existsSync(file) ? readFileSync(file, "utf8") : null),
    made: () => readdirSync(path).filter((one) => !LINKS.some((link) => link === one)),
    mode: () => (statSync(file).mode & 0o777).toString(8),
  };
};
