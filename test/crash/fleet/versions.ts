/** Versions of Parley in a folder of their own, which differ from this one in the last migration. */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/host.ts";
import { scratch } from "../../scratch.ts";

const PARTS = ["bin", "src", "adapters", "sandbox", "package.json"];
const MIGRATIONS = "src/store/migrations";

/** This version with one migration more. */
export const versionAfter = (): string => {
  const place = scratch("version-after");
  for (const part of PARTS) cpSync(join(root, part), join(place, part), { recursive: true });
  const file = join(place, `${MIGRATIONS}.ts`);
  const [before = "", after, ...rest] = readFileSync(file, "utf8").split(END);
  if (after === undefined || rest.length > 0)
    throw new Error("the list of migrations is written in another way");
  const later = `  "ALTER TABLE conversations ADD COLUMN later TEXT NOT NULL DEFAULT 'anew'",`;
  writeFileSync(file, `${before}\n${later}${END}${after}`);
  return linked(place);
};

/** The last commit that had the migrations of this one but the last; null where the history does not reach there. */
export const versionBefore = (): string | null => {
  if (!existsSync(join(root, ".git"))) return null;
  const now = migrationsOf("HEAD");
  const last = now.filter((line) => !line.includes("/first/")).at(-1);
  const wanted = now.filter((line) => line !== last).join("\n");
  const commits = git("log", "--format=%H", "--full-history", "--", MIGRATIONS).trim().split("\n");
  const found = commits.find((commit) => migrationsOf(commit).join("\n") === wanted);
  if (found === undefined) return null;
  const place = scratch("version-before");
  const packed = join(place, "version.tar");
  git("archive", "-o", packed, found, ...PARTS);
  execFileSync("tar", ["-xf", packed, "-C", place]);
  return linked(place);
};

export const schemaOf = (version: string): number => {
  const [list = ""] =
    readFileSync(join(version, `${MIGRATIONS}.ts`), "utf8")
      .split("const MIGRATIONS")[1]
      ?.split(END) ?? [];
  return list.match(/^ {2}\S.*,$/gm)?.length ?? 0;
};

const END = "\n];\n";

const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "safe.directory=*", ...args], { cwd: root, encoding: "utf8" });

/** Their names, and hashes of what is in them. */
const migrationsOf = (commit: string): readonly string[] =>
  git("ls-tree", "-r", commit, MIGRATIONS).trim().split("\n");

const linked = (place: string): string => {
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  return place;
};
