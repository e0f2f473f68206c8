/** A small repository with one commit, in a scratch folder. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { scratch } from "./scratch.ts";

export const sampleRepo = async (readme: string): Promise<string> => {
  const repo = scratch("repo");
  const git = execa({ cwd: repo, env: { GIT_CONFIG_GLOBAL: "/dev/null" } });
  await git`git init -q -b main`;
  mkdirSync(join(repo, "src"));
  writeFileSync(join(repo, "README.md"), readme);
  writeFileSync(join(repo, "src/retry.js"), "export const ATTEMPTS = 3;\n");
  await git`git add README.md src/retry.js`;
  await git`git -c user.name=t -c user.email=t@example.invalid commit -q -m first`;
  return repo;
};
