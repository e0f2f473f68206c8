/** Versions of Parley in a folder of their own, which differ from this one in the last migration. */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { root } from "../../../app/cli/host.ts";
import { scratch } from "../../../scratch.ts";

const PARTS = ["bin", "src", "adapters", "sandbox", "package.json"];
const MIGRATIONS = "src/store/migrations";

/** This version with one migration more. */
export const versionAfter = (): string => {
  const place = scratch("version-after");
  for (const part of PARTS) cpSync(join(root, part), join(place, part), { recursive: true });
  const no = String(schemaOf(place) + 1).padStart(4, "0");
  const later = "ALTER TABLE conversations ADD COLUMN later TEXT NOT NULL DEFAULT 'anew';\n";
  writeFileSync(join(place, MIGRATIONS, `${no}-later.sql`), later);
  return linked(place);
};

/** The last commit that had the migrations of this one but the last; null where the history does not reach there. */
export const versionBefore = (): string | null => {
  if (!existsSync(join(root, ".git"))) return null;
  const wanted = migrationsOf("HEAD").slice(0, -1).join("\n");
  const commits = git("log", "--format=%H", "--full-history", "--", MIGRATIONS).trim().split("\n");
  const found = commits.find((commit) => migrationsOf(commit).join("\n") === wanted);
  if (found === undefined) return null;
  const place = scratch("version-before");
  const packed = join(place, "version.tar");
  git("archive", "-o", packed, found, ...PARTS);
  execFileSync("tar", ["-xf", packed, "-C", place]);
  return linked(place);
};

/** There is a file for each. */
export const schemaOf = (version: string): number =>
  readdirSync(join(version, MIGRATIONS), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  ).length;

const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "safe.directory=*", ...args], { cwd: root, encoding: "utf8" });

/** Their names in order, whatever they were written in. */
const migrationsOf = (commit: string): readonly string[] =>
  git("ls-tree", "-r", "--name-only", commit, MIGRATIONS)
    .trim()
    .split("\n")
    .map((path) => parse(path).name)
    .toSorted();

const linked = (place: string): string => {
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  return place;
};
