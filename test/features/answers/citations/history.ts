/**
 * Histories as repositories have them, the same for the same seed: lines that repeat are replaced, added and taken away, files
 * renamed with and without a change, removed and brought back, commits reverted, side branches merged. And what `git diff`
 * says of lines in them, read in another way than the product does: from whole files instead of from what changed.
 */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface History {
  /** Along the branch, the oldest first. */
  readonly commits: readonly string[];
  /** Of each of them: lines of its files. */
  readonly files: readonly ReadonlyMap<string, number>[];
}

export type Random = (below: number) => number;

/** Mulberry32. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

type Tree = ReadonlyMap<string, readonly string[]>;

/** `git init` has been done in the directory. */
export const makeHistory = async (
  directory: string,
  random: Random,
  size: { readonly commits: number; readonly files: number },
): Promise<History> => {
  let unique = 0;
  const line = (): string => {
    const often = ["", "}", "  return null;", "  }"];
    unique += 1;
    return random(3) === 0
      ? (often[random(often.length)] ?? "")
      : `  const value${unique} = ${random(1_000)};`;
  };
  const lines = (count: number): readonly string[] => Array.from({ length: count }, line);

  const edit = (text: readonly string[]): readonly string[] => {
    const at = random(text.length + 1);
    const gone = random(4);
    return [...text.slice(0, at), ...lines(random(4)), ...text.slice(at + gone)];
  };
  const names = (tree: Tree): readonly string[] => [...tree.keys()];
  const pick = <T>(all: readonly T[]): T | undefined => all[random(all.length)];
  const fresh = (): string => `src/part${random(5)}/file${(unique += 1)}.ts`;

  const trees: Tree[] = [
    new Map(Array.from({ length: size.files }, () => [fresh(), lines(20 + random(80))])),
  ];
  const step = (tree: Tree): Tree => {
    const next = new Map(tree);
    const kind = random(20);
    const name = pick(names(tree));
    const text = name === undefined ? undefined : tree.get(name);
    if (name === undefined || text === undefined || kind === 0)
      return next.set(fresh(), lines(20 + random(80)));
    if (kind === 1 && tree.size > 2) next.delete(name);
    else if (kind < 4) {
      next.delete(name);
      next.set(fresh(), kind === 2 ? text : edit(text));
    } else if (kind === 4) {
      const earlier = pick(trees)?.get(name);
      if (earlier !== undefined) next.set(name, earlier);
    } else
      for (let changes = 0; changes <= random(3); changes += 1) {
        const other = pick(names(next)) ?? name;
        next.set(other, edit(next.get(other) ?? text));
      }
    return next;
  };

  const stream: string[] = [];
  let mark = 0;
  const write = (tree: Tree, branch: string, from: number | null, merged: number | null): number => {
    mark += 1;
    stream.push(`commit refs/heads/${branch}\nmark :${mark}\n`);
    stream.push(`committer Ada <ada@example.org> ${1_700_000_000 + mark * 60} +0000\ndata 1\nx\n`);
    if (from !== null) stream.push(`from :${from}\n`);
    if (merged !== null) stream.push(`merge :${merged}\n`);
    stream.push("deleteall\n");
    for (const [name, text] of tree) {
      const data = text.map((one) => `${one}\n`).join("");
      stream.push(`M 100644 inline ${name}\ndata ${Buffer.byteLength(data)}\n${data}\n`);
    }
    return mark;
  };

  const marks = [write(trees[0] ?? new Map(), "main", null, null)];
  while (marks.length < size.commits) {
    const last = marks.length - 1;
    const [tree, at] = [trees[last] ?? new Map(), marks[last] ?? 0];
    const next = step(tree);
    trees.push(next);
    const side = random(12) === 0 ? write(next, "side", at, null) : null;
    marks.push(write(next, "main", at, side));
  }

  const importing = spawn("git", ["fast-import", "--quiet", "--force"], {
    cwd: directory,
    stdio: ["pipe", "inherit", "inherit"],
  });
  importing.stdin.end(stream.join(""));
  const [status] = await once(importing, "exit");
  if (status !== 0) throw new Error("the history was not imported");
  const listed = await gitIn(directory, "rev-list", "--first-parent", "--reverse", "main");
  return {
    commits: listed.trim().split("\n"),
    files: trees.map((tree) => new Map([...tree].map(([name, text]) => [name, text.length]))),
  };
};

export const gitIn = async (directory: string, ...args: readonly string[]): Promise<string> => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return (await run("git", [...args], { cwd: directory, env, maxBuffer: 2 ** 30 })).stdout;
};

export interface Cited {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** What `git diff` says of lines of one commit at another. */
export const diffOracle = async (
  directory: string,
  from: string,
  to: string,
): Promise<(cited: Cited) => Cited | "changed"> => {
  const text = await gitIn(directory, "diff", "-M", "--no-color", "--unified=1000000", from, to);
  /** By its old name: its new name, and for each old line the new one, or 0. */
  const files = new Map<string, { readonly name: string | null; readonly now: readonly number[] }>();
  for (const part of text.split(/^diff --git /m).slice(1)) {
    const renamed = /^rename from (.+)\nrename to (.+)$/m.exec(part);
    const [, old = "", now = ""] = renamed ?? /^a\/(\S+) b\/(\S+)$/m.exec(part) ?? [];
    const isGone = /^deleted file mode/m.test(part);
    const body =
      part
        .split(/^@@.*@@.*$/m)[1]
        ?.split("\n")
        .slice(1, -1) ?? null;
    if (/^new file mode/m.test(part)) continue;
    if (isGone) files.set(old, { name: null, now: [] });
    else files.set(old, { name: now, now: body === null ? [] : linesOf(body) });
  }
  return (cited) => {
    const found = files.get(cited.file);
    if (found === undefined) return cited;
    if (found.name === null) return "changed";
    if (found.now.length === 0) return { ...cited, file: found.name };
    const [first = 0, ...more] = found.now.slice(cited.from - 1, cited.to);
    if (first === 0 || more.some((at, index) => at !== first + index + 1)) return "changed";
    return { file: found.name, from: first, to: first + more.length };
  };
};

const linesOf = (body: readonly string[]): readonly number[] => {
  const now: number[] = [];
  let at = 0;
  for (const line of body) {
    if (line.startsWith("+")) at += 1;
    else if (line.startsWith("-")) now.push(0);
    else if (!line.startsWith("\\")) now.push((at += 1));
  }
  return now;
};
