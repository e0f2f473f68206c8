/** Default repository: the configured repository, or the work tree in which the process was started. */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Repo } from "../../ports/conversation.ts";

/** A location with a scheme, or `user@host:path` as in git, is a URL; any other location is a path. */
export const findDefaultRepo = (configured: string | undefined, startedIn: string): Repo | null => {
  if (configured !== undefined) {
    if (isUrl(configured)) return { kind: "url", location: configured };
    const path = resolve(startedIn, configured);
    return { kind: "path", location: workTree(path) ?? path };
  }
  const tree = workTree(startedIn);
  return tree === null ? null : { kind: "path", location: tree };
};

const isUrl = (location: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(location) || /^[^/:]+@[^/:]+:/.test(location);

const workTree = (directory: string): string | null => {
  if (existsSync(join(directory, ".git"))) return directory;
  const parent = dirname(directory);
  return parent === directory ? null : workTree(parent);
};
