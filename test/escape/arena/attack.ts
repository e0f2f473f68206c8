/** The attack program (attack/*.c): compiled once for a machine and its sources, and what its lines mean. */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildsFolder } from "../../scratch.ts";

const SOURCES = join(import.meta.dirname, "attack");
const COMPILER = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].find((path) => existsSync(path));

/** Why the attacks by system call cannot be made on this machine, or null. */
export const noCompiler: string | null =
  COMPILER === undefined ? "no C compiler for the attack program" : null;

/** The program's path; built when no build of these sources is there yet. */
export const buildAttack = async (): Promise<string> => {
  const names = readdirSync(SOURCES).toSorted();
  const hash = createHash("sha256");
  for (const name of names) hash.update(readFileSync(join(SOURCES, name)));
  const path = join(buildsFolder(), `parley-escape-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(path)) return path;
  const temporary = `${path}.${process.pid}`;
  const files = names.filter((name) => name.endsWith(".c")).map((name) => join(SOURCES, name));
  await promisify(execFile)(COMPILER ?? "cc", ["-O1", "-std=gnu17", ...files, "-o", temporary]);
  await rename(temporary, path);
  return path;
};

export interface Attempts {
  /** What the kernel let happen. */
  readonly through: readonly string[];
  readonly refused: readonly string[];
  /** True when every attempt of the group was made. */
  readonly whole: boolean;
}

export const attemptsIn = (text: string): Attempts => {
  const lines = text.split("\n").filter((line) => line !== "");
  const through = lines.filter((line) => line.startsWith("through ")).map((line) => line.slice(8));
  return {
    through,
    refused: lines.filter((line) => !line.startsWith("through ") && line !== "end"),
    whole: lines.at(-1) === "end",
  };
};
