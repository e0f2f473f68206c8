/** A checkout with one change in it, as the host reads and commits it: git's own, without a sandbox around it. */

import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import type { Changes, Committed } from "../../src/ports/outgoing.ts";
import type { Points } from "./points.ts";

export interface Template {
  /** A bare repository that holds everything. */
  readonly path: string;
  readonly base: string;
  /** With the change. */
  readonly tree: string;
}

const who = { name: "Ada", email: "ada@example.org", date: "1767225600 +0000" };

const environment = ({ name, email, date }: typeof who): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_AUTHOR_DATE: date,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
  GIT_COMMITTER_DATE: date,
});

export const run = (cwd: string, args: readonly string[], input = ""): string =>
  execFileSync("git", args, { cwd, input, env: environment(who), encoding: "utf8" }).trim();

export const template = (path: string): Template => {
  run(".", ["init", "--quiet", "--bare", "--initial-branch", "main", path]);
  const treeOf = (text: string): string => {
    const blob = run(path, ["hash-object", "-w", "--stdin"], text);
    return run(path, ["mktree"], `100644 blob ${blob}\tretry.js\n`);
  };
  const base = run(path, ["commit-tree", treeOf("export const ATTEMPTS = 0;\n"), "-m", "begin"]);
  run(path, ["update-ref", "refs/heads/main", base]);
  return { path, base, tree: treeOf("export const ATTEMPTS = 3;\n") };
};

const FILES = [{ path: "retry.js", added: 1, removed: 1 }];
const git = promisify(execFile);

/** `room`: a copy of the template, which outlives the processes. */
export const checkout = (room: string, { base, tree }: Template, points: Points): Changes => {
  const ask = async (args: readonly string[], env = environment(who)): Promise<string> =>
    (await git("git", [...args], { cwd: room, env })).stdout.trim();

  const committed = async (name: string): Promise<Committed | null> => {
    const told = await ask(["for-each-ref", "--format=%(objectname) %(parent)", `refs/errands/${name}`]);
    const [commit = "", parent = ""] = told.split(" ");
    return commit === "" ? null : { commit, parent };
  };

  return {
    read: async (_, head) => {
      if (head === null) return { kind: "changes", changed: { tree, parent: base, files: FILES } };
      const made = await ask(["for-each-ref", "--format=%(objectname)", "refs/errands/"]);
      return made.split("\n").includes(head) ? { kind: "none" } : { kind: "foreign" };
    },
    goesOn: () => Promise.resolve({ kind: "yes" }),
    commit: (_, { name, commits, parent, author, at }) =>
      points.call("commit", async () => {
        const env = environment({ ...author, date: `${Math.floor(at / 1_000)} +0000` });
        let commit = parent;
        for (const { tree: root, message } of commits)
          commit = await ask(["commit-tree", root, "-p", commit, "-m", message], env);
        await ask(["update-ref", `refs/errands/${name}`, commit]);
        return { kind: "done", value: { commit, parent } } as const;
      }),
    committed: async (_, name) => ({ kind: "done", value: await committed(name) }),
    pack: async (_, { commit, parent }) => {
      const revs = `${commit}\n^${parent}\n`;
      const pack = execFileSync("git", ["pack-objects", "--revs", "--stdout", "--quiet"], {
        cwd: room,
        input: revs,
        env: environment(who),
      });
      return { kind: "done", value: pack };
    },
  };
};
