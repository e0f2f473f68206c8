/**
 * Real git beside the emulated GitHub, which has no git remote: what people push becomes the emulator's objects with
 * equal names, and the commit of a merge becomes an object of the repository.
 */

import { execFileSync } from "node:child_process";
import { z } from "zod";
import type { Emulated } from "./emulator.ts";

export interface Mirror {
  /** Hands on each branch that was pushed since the last call, and moves the heads of open pull requests. */
  push(): Promise<void>;
  /** Fetches the commit of a merge into the default branch. */
  fetchMerge(commit: string): Promise<void>;
}

/** Asks the emulator as the owner, below its repository. Rejects unless the answer is a success. */
export type AskOwner = (method: string, path: string, body?: object) => Promise<unknown>;

/** `bare`: the repository that people push to. */
export const createMirror = (bare: string, ask: AskOwner, { store }: Pick<Emulated, "store">): Mirror => {
  const known = new Set<string>();
  let branches: ReadonlyMap<string, string> = new Map();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: bare, encoding: "utf8" }).trimEnd();

  const create = async (kind: "blobs" | "commits" | "trees", sha: string, body: object): Promise<void> => {
    const created = named.parse(await ask("POST", `/git/${kind}`, body));
    if (created.sha !== sha) throw new Error(`the emulator calls ${sha} of ${kind} ${created.sha}`);
    known.add(sha);
  };

  const copyBlob = (sha: string): Promise<void> => {
    const content = execFileSync("git", ["cat-file", "blob", sha], { cwd: bare }).toString("base64");
    return create("blobs", sha, { content, encoding: "base64" });
  };

  const copyTree = async (sha: string): Promise<void> => {
    if (known.has(sha)) return;
    const tree = git("ls-tree", sha)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [, mode = "", type = "", object = "", path = ""] = /^(\d+) (\w+) (\w+)\t(.*)$/.exec(line) ?? [];
        return { mode, type, sha: object, path };
      });
    for (const entry of tree)
      if (entry.type === "tree") await copyTree(entry.sha);
      else if (!known.has(entry.sha)) await copyBlob(entry.sha);
    await create("trees", sha, { tree });
  };

  const copyCommit = async (sha: string): Promise<void> => {
    if (known.has(sha)) return;
    const fields = git("show", "-s", "--format=%T%n%P%n%an%n%ae%n%aI%n%cn%n%ce%n%cI", sha).split("\n");
    const [tree = "", parents = "", ...people] = fields;
    const [name = "", email = "", date = "", committer = "", itsEmail = "", itsDate = ""] = people;
    await copyTree(tree);
    await create("commits", sha, {
      message: git("show", "-s", "--format=%B", sha),
      tree,
      parents: parents.split(" ").filter((parent) => parent !== ""),
      author: { name, email, date },
      committer: { name: committer, email: itsEmail, date: itsDate },
    });
  };

  const move = async (branch: string, sha: string): Promise<void> => {
    for (const commit of git("rev-list", "--reverse", "--topo-order", sha).split("\n"))
      await copyCommit(commit);
    if (branches.has(branch)) await ask("PATCH", `/git/refs/heads/${branch}`, { sha, force: true });
    else await ask("POST", "/git/refs", { ref: `refs/heads/${branch}`, sha });
    const pulls = store.collection("github.pull_requests");
    for (const { id, head_ref: head, state } of pulls.all())
      if (head === branch && state === "open") pulls.update(id, { head_sha: sha });
  };

  return {
    push: async () => {
      const listed = git("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads/");
      const now = new Map(
        listed.split("\n").flatMap((line) => {
          const [branch, sha] = line.split(" ");
          return branch === undefined || sha === undefined ? [] : [[branch, sha] as const];
        }),
      );
      for (const [branch, sha] of now) if (branches.get(branch) !== sha) await move(branch, sha);
      for (const branch of branches.keys())
        if (!now.has(branch)) await ask("DELETE", `/git/refs/heads/${branch}`);
      branches = now;
    },
    fetchMerge: async (commit) => {
      const { tree, parents, author, committer, message } = gitCommit.parse(
        await ask("GET", `/git/commits/${commit}`),
      );
      const lines = [
        `tree ${tree.sha}`,
        ...parents.map(({ sha }) => `parent ${sha}`),
        `author ${signed(author)}`,
        `committer ${signed(committer)}`,
      ];
      const input = `${lines.join("\n")}\n\n${message.endsWith("\n") ? message : `${message}\n`}`;
      const written = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
        cwd: bare,
        encoding: "utf8",
        input,
      }).trim();
      if (written !== commit) throw new Error(`git calls the merge ${commit} ${written}`);
      known.add(commit);
      const base = git("symbolic-ref", "--short", "HEAD");
      git("update-ref", `refs/heads/${base}`, commit);
      branches = new Map([...branches, [base, commit]]);
    },
  };
};

const named = z.object({ sha: z.string() });

const person = z.object({ name: z.string(), email: z.string(), date: z.string() });

const gitCommit = z.object({
  tree: named,
  parents: z.array(named),
  author: person,
  committer: person,
  message: z.string(),
});

/** The emulator dates its own commits in UTC. */
const signed = ({ name, email, date }: z.output<typeof person>): string =>
  `${name} <${email}> ${Math.floor(Date.parse(date) / 1_000)} +0000`;
