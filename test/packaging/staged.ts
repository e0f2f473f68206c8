/** The package as npm installs it below an empty folder, from the files that are packed. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../app/cli/host.ts";

/** Returns the path of the command, from `folder`. */
export const stageInto = (folder: string): string => join(stagePackage(folder), "bin/parley.js");

/** Stages and bundles as `npm run package` does. Returns the path of the package, from `folder`. */
export const stageBundled = (folder: string): string => {
  const staged = stagePackage(folder);
  execFileSync(process.execPath, ["packaging/bundle.ts", join(folder, staged)], { cwd: root, stdio: "pipe" });
  return staged;
};

const stagePackage = (folder: string): string => {
  const installed = join(folder, "node_modules/parley");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  execFileSync(process.execPath, ["packaging/stage.ts", installed], { cwd: root, stdio: "pipe" });
  const modules = join(root, "node_modules");
  for (const name of readdirSync(modules)) {
    const link = join(folder, "node_modules", name);
    if (!name.startsWith(".") && !existsSync(link)) symlinkSync(join(modules, name), link);
  }
  return "node_modules/parley";
};
