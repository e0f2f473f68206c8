/** Where a secret could show up on a machine: what its processes were started with, and what its files hold. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Arguments and environment of every process that can be read, one a line. */
export const everyProcess = (): string =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((id) => `${contentOf(`/proc/${id}/cmdline`)} ${contentOf(`/proc/${id}/environ`)}`)
    .map((line) => line.replaceAll("\n", " ").replaceAll("\0", " "))
    .join("\n");

/** All files below a folder, one behind the other. */
export const filesBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => contentOf(join(entry.parentPath, entry.name)))
    .join("\n");

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};
