/** Mounts for a program of Node that runs in the sandbox with packages of this installation. */

import { readFileSync, realpathSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname } from "node:path";
import { z } from "zod";
import type { Mount } from "../../sandbox/types.ts";

const ROOT = "/opt/parley";

export const readOnly = (source: string, name: string): Mount => ({
  source,
  target: `${ROOT}/${name}`,
  write: false,
});

export const NODE = readOnly(dirname(process.execPath), "node");

/** Mounts each package separately: their common folder also holds everything else. Throws if a package cannot be read. */
export const packageMounts = (name: string): readonly Mount[] =>
  [...installed(name, import.meta.url)].map(([one, directory]) => readOnly(directory, `node_modules/${one}`));

/** Parts for other platforms are not installed. */
const installed = (name: string, from: string, found = new Map<string, string>()): Map<string, string> => {
  const file = found.has(name) ? null : manifestOf(name, from);
  if (file === null) return found;
  found.set(name, dirname(file));
  const { dependencies, optionalDependencies } = Manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) installed(next, file, found);
  return found;
};

const manifestOf = (name: string, from: string): string | null => {
  try {
    const file = findPackageJSON(name, from);
    // Some package managers link packages, and the sandbox mounts no link.
    return file === undefined ? null : realpathSync(file);
  } catch {
    // Node throws if there is no such package.
    return null;
  }
};

const Names = z.record(z.string(), z.string()).default({});
const Manifest = z.object({ dependencies: Names, optionalDependencies: Names });
