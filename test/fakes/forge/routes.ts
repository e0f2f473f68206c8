/** What the fake does for each operation, by GitHub's name of it. Pure but for the world. */

import { spawnSync } from "node:child_process";
import { z } from "zod";
import { liveFiles, mergingRoutes, withMerging } from "./merging.ts";
import { pushedCommit, pushedFile, tendingRoutes } from "./tending.ts";
import {
  changedAt,
  commentWire,
  commitWire,
  contentWire,
  fileWire,
  folderWire,
  issueWire,
  labelWire,
  pullWire,
  releaseWire,
  remarkWire,
  repoWire,
  reviewWire,
  runWire,
  statusWire,
} from "./wire.ts";
import { createReview } from "./reviews.ts";
import type { FakeIssue, FakePull, FakeRepo } from "./world.ts";

export interface Ask {
  readonly base: string;
  readonly repo: FakeRepo;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Who the token stands for. */
  readonly login: string;
  /** Whether whoever it is may push. */
  readonly mayPush: boolean;
  readonly now: number;
}

export type Answer =
  | { readonly kind: "json"; readonly body: unknown; readonly status?: number }
  /** Cut into pages as the query asks. */
  | {
      readonly kind: "page";
      readonly items: readonly unknown[];
      readonly wrap?: (page: unknown[]) => unknown;
    }
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "invalid"; readonly message: string }
  | { readonly kind: "refused"; readonly status: number; readonly message: string }
  /** As reviews are refused, whose errors are texts. */
  | { readonly kind: "unprocessable"; readonly errors: readonly string[] }
  | { readonly kind: "notFound" };

export interface Route {
  /** Permission that the token must have, as GitHub names it. */
  readonly needs: string;
  readonly serve: (ask: Ask) => Answer;
}

const notFound: Answer = { kind: "notFound" };
const json = (body: unknown, status = 200): Answer => ({ kind: "json", body, status });

/** Epoch milliseconds of the parameter; everything without one. */
const sinceIn = ({ since }: Ask["query"]): number => (since === undefined ? 0 : Date.parse(since));

/** The newest first where no other order is asked for. */
const ordered = <T>(list: readonly T[], query: Ask["query"], at: (one: T) => number): readonly T[] => {
  const sorted = query["sort"] === "updated" ? list.toSorted((a, b) => at(a) - at(b)) : list;
  return query["direction"] === "asc" ? sorted : sorted.toReversed();
};

const issueOf = ({ repo, params }: Ask): FakeIssue | undefined =>
  repo.issues.find(({ number }) => String(number) === (params["issue_number"] ?? params["pull_number"]));

const withIssue =
  (serve: (issue: FakeIssue, ask: Ask) => Answer) =>
  (ask: Ask): Answer => {
    const issue = issueOf(ask);
    return issue === undefined ? notFound : serve(issue, ask);
  };

const withPull = (serve: (pull: FakePull, issue: FakeIssue, ask: Ask) => Answer) =>
  withIssue((issue, ask) => (issue.pull === null ? notFound : serve(issue.pull, issue, ask)));

const commitOf = ({ repo, params }: Ask): string | null => {
  const ref = params["ref"] ?? "";
  const commit = repo.refs.get(ref) ?? branchAt(repo, ref) ?? ref;
  const isHead = repo.issues.some(({ pull }) => pull?.headCommit === commit);
  return isHead ||
    [...repo.refs.values()].includes(commit) ||
    repo.runs.some((run) => run.commit === commit) ||
    pushedCommit(repo, commit) !== null
    ? commit
    : null;
};

const issueBody = z.object({
  title: z.string(),
  body: z.string().optional(),
  labels: z.array(z.string()).optional(),
});
const commentBody = z.object({ body: z.string() });
const labelsBody = z.object({ labels: z.array(z.string()) });
const pullBody = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string(),
  draft: z.boolean(),
});

const add = (
  { repo, login, now }: Ask,
  issue: Partial<FakeIssue> & { readonly title: string },
): FakeIssue => {
  const made: FakeIssue = {
    number: repo.issues.length + 1,
    state: "open",
    author: login,
    at: now,
    text: "",
    labels: [],
    comments: [],
    pull: null,
    ...issue,
  };
  repo.issues.push(made);
  return made;
};

/** Names in a folder, as far as files lie below it. */
const entriesBelow = (
  contents: ReadonlyMap<string, unknown>,
  below: string,
): ReadonlyMap<string, "dir" | "file"> =>
  new Map(
    [...contents.keys()]
      .filter((key) => key.startsWith(below))
      .map((key) => {
        const [name = "", ...rest] = key.slice(below.length).split("/");
        return [name, rest.length > 0 ? "dir" : "file"];
      }),
  );

const branchAt = ({ git }: FakeRepo, branch: string): string | null => {
  if (git === null) return null;
  const args = ["--git-dir", `${git.root}${git.path}`, "rev-parse", "-q", "--verify", `refs/heads/${branch}`];
  const found = spawnSync("git", args, { encoding: "utf8" });
  return found.status === 0 ? found.stdout.trim() : null;
};

const openPull = (ask: Ask): Answer => {
  const { title, head, base, body, draft } = pullBody.parse(ask.body);
  const { repo } = ask;
  const headCommit = branchAt(repo, head);
  if (!ask.mayPush) return { kind: "invalid", message: "must be a collaborator" };
  if (headCommit === null) return { kind: "invalid", message: "head is invalid" };
  if (branchAt(repo, base) === null) return { kind: "invalid", message: "base is invalid" };
  if (repo.issues.some((issue) => issue.state === "open" && issue.pull?.head === head)) {
    return { kind: "invalid", message: `A pull request already exists for ${repo.owner}:${head}.` };
  }
  const from = `${repo.owner}/${repo.name}`;
  const pull: FakePull = {
    base,
    head,
    headCommit,
    from,
    draft,
    merged: false,
    files: [],
    reviews: [],
    remarks: [],
  };
  const made = add(ask, { title, text: body, pull });
  return json(pullWire(ask.base, repo, made, pull), 201);
};

export const routes: Readonly<Record<string, Route>> = {
  "repos/get": {
    needs: "metadata=read",
    serve: ({ base, repo, mayPush }) => json(repoWire(base, repo, mayPush)),
  },
  "issues/get": {
    needs: "issues=read",
    serve: withIssue((issue, { base, repo }) => json(issueWire(base, repo, issue))),
  },
  "issues/list-comments": {
    needs: "issues=read",
    serve: withIssue((issue, { base, repo, query }) => ({
      kind: "page",
      items: issue.comments.flatMap((comment, index) =>
        comment.at < sinceIn(query) ? [] : [commentWire(base, repo, issue, index)],
      ),
    })),
  },
  "pulls/get": {
    needs: "pull_requests=read",
    serve: withPull((pull, issue, { base, repo }) => {
      const headCommit = branchAt(repo, pull.head) ?? pull.headCommit;
      const merging = withMerging(repo, issue, pull);
      return json({ ...pullWire(base, repo, issue, { ...pull, headCommit }), ...merging });
    }),
  },
  "pulls/list-files": {
    needs: "pull_requests=read",
    serve: withPull((pull, _, { repo }) => ({
      kind: "page",
      items: liveFiles(repo, pull).map(fileWire),
    })),
  },
  "pulls/list-reviews": {
    needs: "pull_requests=read",
    serve: withPull((pull, issue, { base, repo }) => ({
      kind: "page",
      items: pull.reviews.map((review, index) => reviewWire(base, repo, issue, review, index)),
    })),
  },
  "pulls/create-review": { needs: "pull_requests=write", serve: withPull(createReview) },
  "pulls/list-review-comments": {
    needs: "pull_requests=read",
    serve: withPull((pull, issue, { base, repo, query }) => ({
      kind: "page",
      items: pull.remarks.flatMap((remark, index) =>
        remark.at < sinceIn(query) ? [] : [remarkWire(remark, index, base, repo, issue)],
      ),
    })),
  },
  "checks/list-for-ref": {
    needs: "checks=read",
    serve: (ask) => {
      const commit = commitOf(ask);
      if (commit === null) return notFound;
      const runs = ask.repo.runs.filter((run) => run.commit === commit);
      return {
        kind: "page",
        items: runs.map((run) => runWire(ask.base, ask.repo, run)),
        wrap: (page) => ({ total_count: runs.length, check_runs: page }),
      };
    },
  },
  "repos/get-combined-status-for-ref": {
    needs: "statuses=read",
    serve: (ask) => {
      const commit = commitOf(ask);
      return commit === null ? notFound : json(statusWire(ask.base, ask.repo, commit));
    },
  },
  "actions/download-job-logs-for-workflow-run": {
    needs: "actions=read",
    serve: ({ base, repo, params }) => {
      const id = Number(params["job_id"]);
      const run = repo.runs.find((one) => runWire(base, repo, one)["id"] === id);
      return run?.log === undefined || run.log === null
        ? notFound
        : { kind: "redirect", to: `${base}/__logs/${repo.owner}/${repo.name}/${id}` };
    },
  },
  "issues/list-for-repo": {
    needs: "issues=read",
    serve: ({ base, repo, query }) => ({
      kind: "page",
      items: ordered(
        repo.issues.filter((issue) => changedAt(issue) >= sinceIn(query)),
        query,
        changedAt,
      ).map((issue) => issueWire(base, repo, issue)),
    }),
  },
  "issues/list-comments-for-repo": {
    needs: "issues=read",
    serve: ({ base, repo, query }) => {
      const all = repo.issues.flatMap((issue) =>
        issue.comments.map((comment, index) => ({ issue, index, at: comment.at })),
      );
      const since = all.filter(({ at }) => at >= sinceIn(query));
      return {
        kind: "page",
        items: ordered(since, query, ({ at }) => at).map(({ issue, index }) => ({
          ...commentWire(base, repo, issue, index),
          id: issue.number * 1_000 + index,
        })),
      };
    },
  },
  "repos/get-commit": {
    needs: "contents=read",
    serve: ({ repo, params }) => {
      const ref = params["ref"] ?? "-";
      const found = repo.commits.find(({ sha }) => sha.startsWith(ref)) ?? pushedCommit(repo, ref);
      return found === null ? notFound : json(commitWire(found));
    },
  },
  "repos/get-content": {
    needs: "contents=read",
    serve: ({ repo, params, query }) => {
      const path = params["path"] ?? "";
      const ref = query["ref"] ?? "HEAD";
      const names = entriesBelow(repo.contents, `${ref}:${path === "" ? "" : `${path}/`}`);
      if (names.size > 0) return json(folderWire(path, names));
      const bytes = repo.contents.get(`${ref}:${path}`) ?? pushedFile(repo, ref, path);
      return bytes === null ? notFound : json(contentWire(path, bytes));
    },
  },
  "repos/list-releases": {
    needs: "contents=read",
    serve: ({ base, repo }) => ({
      kind: "page",
      items: repo.releases.toReversed().map((release) => releaseWire(base, repo, release)),
    }),
  },
  "issues/list-labels-for-repo": {
    needs: "issues=read",
    serve: ({ repo }) => ({ kind: "page", items: repo.labels.map(labelWire) }),
  },
  "issues/create": {
    needs: "issues=write",
    serve: (ask) => {
      const { title, body = "", labels = [] } = issueBody.parse(ask.body);
      return json(issueWire(ask.base, ask.repo, add(ask, { title, text: body, labels })), 201);
    },
  },
  "issues/create-comment": {
    needs: "issues=write",
    serve: withIssue((issue, { base, repo, body, login, now }) => {
      issue.comments.push({ author: login, at: now, text: commentBody.parse(body).body });
      return json(commentWire(base, repo, issue, issue.comments.length - 1), 201);
    }),
  },
  "issues/add-labels": {
    needs: "issues=write",
    serve: withIssue((issue, { body }) => {
      const { labels } = labelsBody.parse(body);
      issue.labels.push(...labels.filter((name) => !issue.labels.includes(name)));
      return json(issue.labels.map(labelWire));
    }),
  },
  "issues/remove-label": {
    needs: "issues=write",
    serve: withIssue((issue, { params }) => {
      const at = issue.labels.indexOf(params["name"] ?? "");
      if (at < 0) return notFound;
      issue.labels.splice(at, 1);
      return json(issue.labels.map(labelWire));
    }),
  },
  "pulls/list": {
    needs: "pull_requests=read",
    serve: ({ base, repo, query }) => ({
      kind: "page",
      items: repo.issues.flatMap((issue) =>
        issue.pull !== null && query["head"] === `${repo.owner}:${issue.pull.head}`
          ? [pullWire(base, repo, issue, issue.pull, "pull-request-simple")]
          : [],
      ),
    }),
  },
  "pulls/create": { needs: "pull_requests=write", serve: openPull },
  ...mergingRoutes,
  ...tendingRoutes,
};
