/** The packages that an installed Parley needs, according to the lock file and `node_modules`. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export interface Package {
  readonly name: string;
  readonly version: string;
  /** SPDX expression from the package's author. */
  readonly license: string;
  readonly path: string;
}

/**
 * Packages that contain Node for machines without a recent one. They are counted separately, because most
 * machines have Node.
 */
const RUNTIMES = /^node-linux-/;

/**
 * Licenses that may be combined with a program under MIT. The LGPL applies to libvips, which sharp loads as a
 * separate, replaceable library. If a package offers several licenses, one of them must be listed here.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "Python-2.0",
  "Unlicense",
]);

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().default(false), version: z.string().default("") }),
  ),
});
/** The lock file, as npm writes the registry's data about a package. */
const lockedSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().default(""),
      link: z.boolean().default(false),
      dev: z.boolean().default(false),
      integrity: z.string().default(""),
      deprecated: z.string().optional(),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});

/** Packages that are delivered compiled. Their script compiles only if no binary fits the machine. */
const BUILT: ReadonlySet<string> = new Set(["better-sqlite3"]);

/**
 * Returns problems of a lock file that are visible offline, for every package, development packages included.
 * `lock`: the parsed JSON.
 */
export const lockProblems = (lock: unknown): readonly string[] =>
  Object.entries(lockedSchema.parse(lock).packages).flatMap(
    ([folder, { version, link, dev, integrity, deprecated, hasInstallScript }]) => {
      const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
      const named = `${name} ${version}`;
      if (folder === "" || link) return [];
      return [
        ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ? [] : [`${named} has no sha512 checksum`]),
        ...(/^\d+\.\d+\.\d+/.test(version) ? [] : [`${named} has no registry version`]),
        ...(deprecated === undefined ? [] : [`${named} is deprecated: ${deprecated}`]),
        ...(hasInstallScript && !dev && !BUILT.has(name) ? [`${named} runs a script at installation`] : []),
      ];
    },
  );

const manifestSchema = z.object({
  name: z.string(),
  license: z.string().default("none given"),
});

/** Returns the installed packages; npm omits those for other machines. */
export const productionPackages = (root: string): readonly Package[] => {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  return Object.entries(lock.packages).flatMap(([folder, { dev, version }]): readonly Package[] => {
    const path = join(root, folder);
    if (folder === "" || dev || !existsSync(join(path, "package.json"))) return [];
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(path, "package.json"), "utf8")));
    return [{ ...manifest, version, path }];
  });
};

/** Returns the names by license, the most common first. */
export const licensesOf = (packages: readonly Package[]): readonly (readonly [string, readonly string[]])[] =>
  [...Map.groupBy(packages, ({ license }) => license)]
    .map(([license, all]) => [license, [...new Set(all.map(({ name }) => name))]] as const)
    .toSorted(([, a], [, b]) => b.length - a.length);

export const unknownLicenses = (packages: readonly Package[]): readonly Package[] =>
  packages.filter(({ license }) => !isAllowed(license));

/** `A AND B` needs both, `(A OR B)` one of them. */
const isAllowed = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, "")
    .split(" AND ")
    .every((part) => part.split(" OR ").some((one) => ALLOWED.has(one.trim())));

/** Returns the total size in bytes. A nested package is counted only as itself. */
export const installedBytes = (packages: readonly Package[]): number =>
  packages.filter(({ name }) => !RUNTIMES.test(name)).reduce((sum, { path }) => sum + bytesIn(path), 0);

const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + bytesIn(path);
      return entry.isFile() ? sum + statSync(path).size : sum;
    }, 0);
