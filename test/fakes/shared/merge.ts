/** What a forge does in its bare repository when it compares and merges branches: real commits by git itself. */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Bare {
  readonly root: string;
  readonly path: string;
}

interface Ends {
  readonly base: string;
  readonly head: string;
}

const WHO = "GitHub <noreply@github.com>";

const ran = ({ root, path }: Bare, args: readonly string[], stdin?: string) => {
  const [name = "", email = ""] = WHO.replace(">", "").split(" <");
  const env = {
    PATH: process.env["PATH"],
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_AUTHOR_DATE: "2026-11-02T12:00:00Z",
    GIT_COMMITTER_DATE: "2026-11-02T12:00:00Z",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };
  return spawnSync("git", ["--git-dir", `${root}${path}`, ...args], { encoding: "utf8", env, input: stdin });
};

const git = (bare: Bare, args: readonly string[], stdin?: string): string => {
  const { status, stdout, stderr } = ran(bare, args, stdin);
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  return stdout.trim();
};

/** Null where there is no such branch. Read without a process: it is asked with every request. */
export const tipOf = ({ root, path }: Bare, branch: string): string | null => {
  const loose = join(`${root}${path}`, "refs/heads", branch);
  if (existsSync(loose)) return readFileSync(loose, "utf8").trim();
  const packed = join(`${root}${path}`, "packed-refs");
  const lines = existsSync(packed) ? readFileSync(packed, "utf8").split("\n") : [];
  return lines.find((line) => line.endsWith(` refs/heads/${branch}`))?.split(" ")[0] ?? null;
};

/** What two commits come to never changes. */
const remembered = <T>(compute: (bare: Bare, ends: Ends) => T) => {
  const kept = new Map<string, T>();
  return (bare: Bare, ends: Ends): T => {
    const key = `${bare.root}${bare.path} ${ends.base} ${ends.head}`;
    const value = kept.get(key);
    if (value !== undefined) return value;
    const made = compute(bare, ends);
    kept.set(key, made);
    return made;
  };
};

/** Tree of both together; null where they conflict. */
const joinedTree = (bare: Bare, { base, head }: Ends): string | null => {
  const { status, stdout } = ran(bare, ["merge-tree", "--write-tree", base, head]);
  return status === 0 ? (stdout.split("\n")[0] ?? "") : null;
};

export const fits = remembered((bare, ends): boolean => joinedTree(bare, ends) !== null);

export const isBehind = remembered(
  (bare, { base, head }): boolean => ran(bare, ["merge-base", "--is-ancestor", base, head]).status !== 0,
);

export interface BranchCommit {
  readonly sha: string;
  readonly author: string;
  readonly message: string;
}

/** Oldest first. */
export const commitsBetween = remembered((bare, { base, head }): readonly BranchCommit[] =>
  git(bare, ["log", "--reverse", "--format=%H%x00%an%x00%B%x01", `${base}..${head}`])
    .split("\u0001")
    .map((one) => one.trim().split("\0"))
    .flatMap(([sha = "", author = "", message = ""]) => (sha === "" ? [] : [{ sha, author, message }])),
);

export interface BranchFile {
  readonly path: string;
  readonly status: "added" | "modified" | "removed";
  readonly added: number;
  readonly removed: number;
  readonly patch: string;
}

const STATUS = { A: "added", D: "removed" } as const;

/** What the branch changes since it left the base. */
export const filesBetween = remembered((bare, { base, head }): readonly BranchFile[] => {
  const range = `${base}...${head}`;
  const patches = new Map(
    `\n${git(bare, ["diff", "--no-renames", range])}`
      .split("\ndiff --git ")
      .map((diff) => [/^a\/.* b\/(.*)\n/.exec(diff)?.[1] ?? "", diff]),
  );
  const kinds = new Map(
    git(bare, ["diff", "--no-renames", "--name-status", range])
      .split("\n")
      .map((line) => line.split("\t"))
      .map(([kind = "", path = ""]) => [path, kind]),
  );
  return git(bare, ["diff", "--no-renames", "--numstat", range])
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [added = "", removed = "", path = ""] = line.split("\t");
      const diff = patches.get(path) ?? "";
      const kind = kinds.get(path);
      return {
        path,
        status: kind === "A" || kind === "D" ? STATUS[kind] : "modified",
        added: Number(added) || 0,
        removed: Number(removed) || 0,
        patch: diff.slice(Math.max(0, diff.indexOf("@@"))),
      };
    });
});

export type Method = "merge" | "squash" | "rebase";

/** Moves the branch to the new commit, and answers it; null where they conflict. */
export const merged = (
  bare: Bare,
  branch: string,
  { base, head, method, message }: Ends & { readonly method: Method; readonly message: string },
): string | null => {
  const tree = joinedTree(bare, { base, head });
  if (tree === null) return null;
  const made = ((): string => {
    switch (method) {
      case "merge":
        return git(bare, ["commit-tree", tree, "-p", base, "-p", head], message);
      case "squash":
        return git(bare, ["commit-tree", tree, "-p", base], message);
      case "rebase":
        return commitsBetween(bare, { base, head }).reduce((onto, { sha, message: said }) => {
          // As if the base were one commit after the parent of this one: so that only its own change is taken over.
          const beside = git(bare, ["commit-tree", `${onto}^{tree}`, "-p", `${sha}^`], "beside");
          const tree = joinedTree(bare, { base: beside, head: sha }) ?? "";
          return git(bare, ["commit-tree", tree, "-p", onto], said);
        }, base);
    }
  })();
  git(bare, ["update-ref", `refs/heads/${branch}`, made, base]);
  return made;
};

/** A commit of ana's on a branch, which leaves from main where it is new; answers it. */
export const pushCommit = (bare: string, branch: string, path: string, text: string): string => {
  const from = [branch, "main"].find((name) => tipOf({ root: bare, path: "" }, name) !== null);
  const said = `Change ${path}`;
  const lines = [
    `commit refs/heads/${branch}`,
    "committer ana <ana@example.org> 1793620800 +0000",
    `data ${said.length}\n${said}`,
    ...(from === undefined ? [] : [`from refs/heads/${from}^0`]),
    `M 100644 inline ${path}`,
    `data ${text.length}\n${text}`,
    "",
  ];
  const args = ["--git-dir", bare, "fast-import", "--quiet"];
  execFileSync("git", args, { input: lines.join("\n") });
  return tipIn(bare, branch);
};

export const tipIn = (bare: string, branch: string): string => {
  const tip = tipOf({ root: bare, path: "" }, branch);
  if (tip === null) throw new Error(`no branch ${branch}`);
  return tip;
};
