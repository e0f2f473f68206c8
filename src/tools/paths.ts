/** Paths that a model names, inside the working directory and nowhere else. Pure. */
import { posix } from "node:path";
import { Unable } from "./tool.ts";

interface Inside {
  /** As commands see it. */
  readonly path: string;
  /** From the working directory on. */
  readonly relative: string;
}

/** Longest path that Linux takes. */
const MAX_PATH = 4096;

/** Resolves by text alone; that no link leads out is the sandbox's part (openat2 beneath the mount). */
export const insideWorkdir = (cwd: string, path: string): Inside => {
  const resolved = posix.resolve(cwd, path);
  const relative = posix.relative(cwd, resolved);
  if (path === "" || path.includes("\0") || Buffer.byteLength(resolved) >= MAX_PATH)
    throw new Unable("Invalid path: it must be a file's path relative to the working directory");
  if (relative === "" || relative === ".." || relative.startsWith("../"))
    throw new Unable(`Path is not a file in the working directory: ${path}`);
  return { path: resolved, relative };
};
