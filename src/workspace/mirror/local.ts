/**
 * Looks at a local repository (the console's) from the host: reads a few small files, follows no link, runs nothing.
 * git itself sees only the directory that is found here, mounted read-only.
 */

import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { openPlain } from "../disk/durable.ts";
import { InTheWay } from "../run/git-trouble.ts";

interface LocalRepository {
  /** The directory that holds objects and refs, shared by all worktrees. */
  readonly common: string;
  /** Where HEAD is, below `common`; empty for the main worktree. */
  readonly inside: string;
}

/** `path`: a work tree's root, one of its linked worktrees, or a bare repository. */
export const inspectLocal = async (path: string): Promise<LocalRepository> => {
  const root = await realpath(path).catch(() => null);
  if (root === null) throw new InTheWay({ kind: "notFound" });
  const dot = join(root, ".git");
  const kind = await kindOf(dot);
  if (kind === "directory") return wholeRepository(dot);
  if (kind === "file") return worktree(root);
  if (kind === "other") throw new InTheWay({ kind: "notGit" });
  return wholeRepository(root);
};

const wholeRepository = async (directory: string): Promise<LocalRepository> => {
  const parts = await Promise.all(["HEAD", "objects", "refs"].map((name) => kindOf(join(directory, name))));
  if (parts.join() !== "file,directory,directory") throw new InTheWay({ kind: "notGit" });
  if ((await kindOf(join(directory, "objects/info/alternates"))) !== "missing")
    throw new InTheWay({ kind: "borrows" });
  return { common: directory, inside: "" };
};

/**
 * A `.git` file is words that anybody can write: it counts only when the repository it names knows this worktree, so
 * that a planted one opens no other repository of the host.
 */
const worktree = async (root: string): Promise<LocalRepository> => {
  const link = /^gitdir: (.+)\n?$/.exec((await readSmall(join(root, ".git"))) ?? "")?.[1];
  if (link === undefined) throw new InTheWay({ kind: "notGit" });
  const directory = resolve(root, link);
  const worktrees = dirname(directory);
  const back = await readSmall(join(directory, "gitdir"));
  const real = await realpath(directory).catch(() => null);
  const known = back !== null && resolve(directory, back.trimEnd()) === join(root, ".git");
  if (!known || real !== directory || basename(worktrees) !== "worktrees")
    throw new InTheWay({ kind: "stranger" });
  const { common } = await wholeRepository(dirname(worktrees));
  return { common, inside: `worktrees/${basename(directory)}` };
};

const kindOf = async (path: string): Promise<"file" | "directory" | "other" | "missing"> => {
  const found = await lstat(path).catch(() => null);
  if (found === null) return "missing";
  if (found.isFile()) return "file";
  return found.isDirectory() ? "directory" : "other";
};

const MAX_SMALL = 4096;

/** Null when it is no regular file, cannot be read, or is larger than a path can be. */
const readSmall = async (path: string): Promise<string | null> => {
  try {
    await using file = await openPlain(path, MAX_SMALL);
    return (await file?.readFile("utf8")) ?? null;
  } catch {
    return null;
  }
};
