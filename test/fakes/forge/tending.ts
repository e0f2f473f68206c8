/** What the fake forge answers about a pull request that is looked after: commits of git, people's rights, and replies. */

import { spawnSync } from "node:child_process";
import { z } from "zod";
import { filled } from "./description.ts";
import type { Route } from "./routes.ts";
import { remarkWire, userWire } from "./wire.ts";
import type { FakeCommit, FakeRepo } from "./world.ts";

const gitIn = ({ git }: FakeRepo, ...args: readonly string[]): Buffer | null => {
  if (git === null) return null;
  const done = spawnSync("git", ["--git-dir", `${git.root}${git.path}`, ...args]);
  return done.status === 0 ? done.stdout : null;
};

/** A commit that was pushed. */
export const pushedCommit = (repo: FakeRepo, ref: string): FakeCommit | null => {
  const shown = gitIn(repo, "show", "-s", "--format=%H%n%an%n%ct%n%B", `${ref}^{commit}`)?.toString();
  if (shown === undefined) return null;
  const [sha = "", author = "", at = "", ...text] = shown.split("\n");
  return { sha, author, at: Number(at) * 1_000, text: text.join("\n").trim(), files: [] };
};

export const pushedFile = (repo: FakeRepo, ref: string, path: string): Buffer | null =>
  gitIn(repo, "show", `${ref}:${path}`);

const replyBody = z.object({ body: z.string() });

export const tendingRoutes: Readonly<Record<string, Route>> = {
  "repos/get-collaborator-permission-level": {
    needs: "metadata=read",
    serve: ({ repo, params }) => {
      const login = params["username"] ?? "";
      if (login.endsWith("[bot]")) return { kind: "notFound" };
      const may = repo.writers?.includes(login) === true;
      const body = filled("repository-collaborator-permission", {
        permission: may ? "write" : "read",
        role_name: may ? "write" : "read",
        user: { ...userWire(login), role_name: may ? "write" : "read" },
      });
      return { kind: "json", body };
    },
  },
  "pulls/create-reply-for-review-comment": {
    needs: "pull_requests=write",
    serve: ({ base, repo, params, body, login, now }) => {
      const issue = repo.issues.find(({ number }) => String(number) === params["pull_number"]);
      const first = issue?.pull?.remarks[Number(params["comment_id"]) - 1];
      if (issue?.pull == null || first === undefined) return { kind: "notFound" };
      // Replies to replies are not supported.
      if (first.replyTo !== undefined) return { kind: "invalid", message: "in_reply_to is a reply" };
      const { path, line } = first;
      const text = replyBody.parse(body).body;
      const count = issue.pull.remarks.push({
        author: login,
        at: now,
        text,
        path,
        line,
        replyTo: Number(params["comment_id"]),
      });
      const made = issue.pull.remarks[count - 1];
      return made === undefined
        ? { kind: "notFound" }
        : { kind: "json", status: 201, body: remarkWire(made, count - 1, base, repo, issue) };
    },
  },
};
