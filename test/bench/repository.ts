/** Repositories to work on. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const run = promisify(execFile);

export const git = async (cwd: string, ...args: readonly string[]): Promise<string> => {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return (await run("git", [...who, ...args], { cwd, env })).stdout.trim();
};

/** One commit with one small file. */
export const smallRepository = async (path: string): Promise<string> => {
  await mkdir(path, { recursive: true });
  await git(path, "init", "--quiet", "--initial-branch", "main");
  await writeFile(join(path, "README.md"), "A repository to talk about.\n");
  await git(path, "add", "--all");
  await git(path, "commit", "--quiet", "--message", "first");
  return path;
};
