import { posix } from "node:path";
import type { SandboxPolicy } from "../../sandbox/types.ts";
import { SANDBOX_PATHS } from "../workspace/disk/layout.ts";
import { Unable } from "./tool.ts";

interface Inside {
  readonly path: string;
  readonly relative: string;
}

/** Longest path that Linux accepts. */
const MAX_PATH = 4096;

/** Resolves the text only; the sandbox prevents links that lead out (openat2 beneath the mount). */
export const insideWorkdir = (cwd: string, path: string): Inside => {
  const resolved = posix.resolve(cwd, path);
  const relative = posix.relative(cwd, resolved);
  if (path === "" || path.includes("\0") || Buffer.byteLength(resolved) >= MAX_PATH)
    throw new Unable("Invalid path: it must be a file's path relative to the working directory");
  if (relative === "" || relative === ".." || relative.startsWith("../"))
    throw new Unable(`Path is not a file in the working directory: ${path}`);
  return { path: resolved, relative };
};

/** The same, or the path of a file that a message brought. */
export const readablePath = (
  { cwd, mounts }: Pick<SandboxPolicy, "cwd" | "mounts">,
  path: string,
): Inside => {
  const files = mounts.find(({ target }) => target === SANDBOX_PATHS.files);
  const resolved = posix.resolve(cwd, path);
  const isFile = [files?.target, files?.source].some(
    (one) => one !== undefined && posix.dirname(resolved) === one && !path.includes("\0"),
  );
  return isFile ? { path: resolved, relative: resolved } : insideWorkdir(cwd, path);
};
