/** Trees of files as git alone computes them, beside the host: nothing that a checkout says of itself is believed. */

import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../scratch.ts";

export interface Trees {
  /** Of what a directory holds. */
  of(directory: string): string;
  /** Of what a script makes of the repository. */
  after(script: string): string;
  /** Changes somebody's files in their name; of what is there then. */
  spoil(directory: string, script: string): string;
  git(cwd: string, ...args: readonly string[]): string;
}

export const createTrees = (source: string): Trees => {
  const room = scratch("trees");
  let count = 0;
  git(room, "init", "-q", "--bare", "objects.git");

  const of: Trees["of"] = (directory) => {
    const index = join(room, `index-${(count += 1)}`);
    const at = ["--git-dir", join(room, "objects.git"), "--work-tree", directory];
    const run = (...args: readonly string[]): string =>
      execFileSync("git", ["-c", "safe.directory=*", ...at, ...args], {
        cwd: directory,
        env: { ...process.env, GIT_INDEX_FILE: index },
        encoding: "utf8",
      }).trim();
    run("add", "--all", ".");
    const tree = run("write-tree");
    rmSync(index);
    return tree;
  };

  return {
    of,
    git,
    after: (script) => {
      const copy = join(room, `copy-${(count += 1)}`);
      cpSync(source, copy, { recursive: true, verbatimSymlinks: true });
      execFileSync("bash", ["-c", script], { cwd: copy, stdio: "ignore" });
      const tree = of(copy);
      rmSync(copy, { recursive: true });
      return tree;
    },
    spoil: (directory, script) => {
      const { uid, gid } = lstatSync(directory);
      execFileSync("bash", ["-c", `${script}\nchown -hR ${uid}:${gid} .`], {
        cwd: directory,
        stdio: "ignore",
      });
      return of(directory);
    },
  };
};

const git: Trees["git"] = (cwd, ...args) =>
  execFileSync("git", ["-c", "safe.directory=*", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
