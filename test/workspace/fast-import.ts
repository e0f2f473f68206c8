/** Generates repositories with `git fast-import`: any bytes, names and modes, and long histories in seconds. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { git } from "./scene.ts";

export interface ImportedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode?: "100644" | "100755" | "120000";
}

export interface ImportedCommit {
  /** In this order: removed, moved, written. */
  readonly removed?: readonly string[];
  readonly moved?: readonly { readonly from: string; readonly to: string }[];
  readonly files: readonly ImportedFile[];
  /** Submodules: the commit that each names. */
  readonly submodules?: readonly { readonly path: string; readonly commit: string }[];
  readonly message: string;
}

/** Commits on `main`, one after the other; the work tree of `repository` stays as it is. */
export const importCommits = async (
  repository: string,
  commits: Iterable<ImportedCommit>,
): Promise<string> => {
  const child = spawn("git", ["fast-import", "--quiet", "--force"], {
    cwd: repository,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(child, "close");
  await pipeline(streamOf(commits), child.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  return git(repository, "rev-parse", "refs/heads/main");
};

/** `commits` commits over `files` files in folders, each of which changes one or two of them. The same for the same numbers. */
export const longHistory = function* (files: number, commits: number): Generator<ImportedCommit> {
  yield { message: "begin", files: Array.from({ length: files }, (_, index) => sourceFile(index, 0)) };
  for (let at = 1; at < commits; at++) {
    const changed = at % 3 === 0 ? [at * 7919, at * 104_729] : [at * 7919];
    yield { message: `change ${at}`, files: changed.map((index) => sourceFile(index % files, at)) };
  }
};

const sourceFile = (index: number, version: number): ImportedFile => ({
  path: `src/area${index % 23}/part${index % 7}/file${index}.ts`,
  content: `${Array.from({ length: 30 + (index % 40) }, (_, line) => `line ${line} of ${index}`).join("\n")}\n${version}\n`,
});

const streamOf = function* (commits: Iterable<ImportedCommit>): Generator<Buffer> {
  let time = 1_500_000_000;
  for (const { removed = [], moved = [], files, submodules = [], message } of commits) {
    time += 600;
    const parts: Uint8Array[] = [
      Buffer.from(`commit refs/heads/main\ncommitter Ada <ada@example.org> ${time} +0000\n`),
    ];
    parts.push(...dataOf(message));
    for (const path of removed) parts.push(Buffer.from(`D ${JSON.stringify(path)}\n`));
    for (const { from, to } of moved)
      parts.push(Buffer.from(`R ${JSON.stringify(from)} ${JSON.stringify(to)}\n`));
    for (const { path, commit } of submodules)
      parts.push(Buffer.from(`M 160000 ${commit} ${JSON.stringify(path)}\n`));
    for (const { path, content, mode = "100644" } of files)
      parts.push(Buffer.from(`M ${mode} inline ${JSON.stringify(path)}\n`), ...dataOf(content));
    yield Buffer.concat(parts);
  }
};

const dataOf = (content: string | Uint8Array): readonly Uint8Array[] => {
  const bytes = Buffer.from(content);
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n")];
};
