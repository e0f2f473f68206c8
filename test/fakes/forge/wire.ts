/** How the world's records look in GitHub's answers. Pure. */

import { filled, filledItem } from "./description.ts";
import type { FakeCommit, FakeIssue, FakePull, FakeRelease, FakeRepo, FakeRun, Said } from "./world.ts";

type Json = Readonly<Record<string, unknown>>;

const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

/** An id that stays the same: names are unique where they are used. */
const idOf = (name: string): number => Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) % 1e9, 7);

export const userWire = (login: string): Json =>
  filled("simple-user", { login, id: idOf(login), type: "User" });

const said = ({ author, at, text }: Said): Json => ({
  user: userWire(author),
  created_at: iso(at),
  updated_at: iso(at),
  body: text,
});

export const repoId = ({ owner, name }: FakeRepo): number => idOf(`${owner}/${name}`);

const webOf = (base: string, { owner, name }: FakeRepo): string => `${base}/${owner}/${name}`;

export const repoWire = (base: string, repo: FakeRepo, mayPush: boolean): Json =>
  filled("full-repository", {
    ...repoParts(base, repo),
    ...methodParts(repo),
    permissions: { admin: false, push: mayPush, pull: true },
  });

const METHODS = ["merge", "squash", "rebase"] as const;

const methodParts = ({ merging: { methods = METHODS } = {} }: FakeRepo): Json => ({
  allow_merge_commit: methods.includes("merge"),
  allow_squash_merge: methods.includes("squash"),
  allow_rebase_merge: methods.includes("rebase"),
});

const repoParts = (base: string, repo: FakeRepo): Json => ({
  id: repoId(repo),
  name: repo.name,
  full_name: `${repo.owner}/${repo.name}`,
  owner: userWire(repo.owner),
  private: repo.isPrivate,
  html_url: webOf(base, repo),
  default_branch: "main",
  archived: repo.archived,
  has_issues: repo.hasIssues,
});

const headed = (base: string, repo: FakeRepo, issue: FakeIssue, kind: "issues" | "pull"): Json => ({
  ...said(issue),
  updated_at: iso(changedAt(issue)),
  id: idOf(`${repo.owner}/${repo.name}#${issue.number}`),
  number: issue.number,
  title: issue.title,
  state: issue.state,
  closed_at: issue.state === "closed" ? iso(issue.closed ?? changedAt(issue)) : null,
  html_url: `${webOf(base, repo)}/${kind}/${issue.number}`,
  comments: issue.comments.length,
  author_association: "CONTRIBUTOR",
});

export const changedAt = ({ at, changed = at, comments }: FakeIssue): number =>
  Math.max(changed, ...comments.map((comment) => comment.at));

export const releaseWire = (base: string, repo: FakeRepo, release: FakeRelease): Json =>
  filled("release", {
    id: idOf(release.tag),
    tag_name: release.tag,
    name: release.name,
    body: release.text,
    draft: false,
    prerelease: false,
    author: userWire(release.author),
    html_url: `${webOf(base, repo)}/releases/tag/${release.tag}`,
    created_at: iso(release.at),
    published_at: iso(release.at),
  });

export const labelWire = (name: string): Json =>
  filled("label", { id: idOf(name), name, color: "ededed", default: false });

export const issueWire = (base: string, repo: FakeRepo, issue: FakeIssue, name = "issue"): Json =>
  filled(name, {
    ...headed(base, repo, issue, issue.pull === null ? "issues" : "pull"),
    labels: issue.labels.map(labelWire),
    repository_url: `${base}/repos/${repo.owner}/${repo.name}`,
    ...(issue.pull === null
      ? {}
      : { pull_request: { url: "", html_url: "", diff_url: "", patch_url: "", merged_at: null } }),
  });

export const commentWire = (base: string, repo: FakeRepo, issue: FakeIssue, index: number): Json => {
  const comment = issue.comments[index];
  if (comment === undefined) throw new Error("there is no such comment");
  const html_url = `${webOf(base, repo)}/issues/${issue.number}#issuecomment-${index + 1}`;
  const issue_url = `${base}/repos/${repo.owner}/${repo.name}/issues/${issue.number}`;
  return filled("issue-comment", { ...said(comment), id: index + 1, html_url, issue_url });
};

export const pullWire = (
  base: string,
  repo: FakeRepo,
  issue: FakeIssue,
  pull: FakePull,
  name: "pull-request" | "pull-request-simple" = "pull-request",
): Json => {
  const [owner = "", fork = ""] = pull.from.split("/");
  const end = (ref: string, sha: string, of: FakeRepo): Json => ({
    label: `${of.owner}:${ref}`,
    ref,
    sha,
    user: userWire(of.owner),
    repo: filled("repository", repoParts(base, of)),
  });
  const sum = (pick: "added" | "removed"): number => pull.files.reduce((all, file) => all + file[pick], 0);
  return filled(name, {
    ...headed(base, repo, issue, "pull"),
    draft: pull.draft,
    merged: pull.merged,
    labels: [],
    additions: sum("added"),
    deletions: sum("removed"),
    changed_files: pull.files.length,
    base: end(pull.base, repo.refs.get(pull.base) ?? "", repo),
    head: end(pull.head, pull.headCommit, { ...repo, owner, name: fork }),
  });
};

export const fileWire = (file: FakePull["files"][number]): Json =>
  filled("diff-entry", {
    filename: file.path,
    status: file.status,
    additions: file.added,
    deletions: file.removed,
    changes: file.added + file.removed,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
  });

export const commitWire = ({ sha, author, at, text, files }: FakeCommit): Json => {
  const by = { name: author, email: `${author}@example.com`, date: iso(at) };
  const commit = {
    author: by,
    committer: by,
    message: text,
    tree: { sha, url: "" },
    url: "",
    comment_count: 0,
  };
  return filled("commit", { sha, commit, author: userWire(author), files: files.map(fileWire) });
};

export const contentWire = (path: string, bytes: Buffer): Json =>
  filled("content-file", {
    type: "file",
    encoding: "base64",
    name: path.split("/").at(-1),
    path,
    size: bytes.length,
    content: bytes.toString("base64"),
  });

export const folderWire = (path: string, names: ReadonlyMap<string, "dir" | "file">): readonly Json[] =>
  [...names].map(([name, type]) =>
    filledItem("content-directory", {
      type,
      name,
      path: path === "" ? name : `${path}/${name}`,
      size: 0,
      sha: "0".repeat(40),
    }),
  );

export const reviewWire = (
  base: string,
  repo: FakeRepo,
  issue: FakeIssue,
  review: FakePull["reviews"][number],
  index: number,
): Json =>
  filled("pull-request-review", {
    html_url: `${webOf(base, repo)}/pull/${issue.number}#pullrequestreview-${index + 1}`,
    pull_request_url: `${base}/repos/${repo.owner}/${repo.name}/pulls/${issue.number}`,
    commit_id: review.commit ?? null,
    user: userWire(review.author),
    body: review.text,
    state: review.state,
    submitted_at: iso(review.at),
    id: index + 1,
    author_association: review.association ?? "MEMBER",
  });

export const remarkWire = (
  remark: FakePull["remarks"][number],
  index: number,
  base: string,
  repo: FakeRepo,
  issue: Pick<FakeIssue, "number">,
): Json =>
  filled("pull-request-review-comment", {
    ...said(remark),
    id: index + 1,
    path: remark.path,
    line: remark.line,
    side: remark.side ?? "RIGHT",
    ...(remark.startLine === undefined
      ? {}
      : { start_line: remark.startLine, start_side: remark.side ?? "RIGHT" }),
    pull_request_review_id: remark.review ?? null,
    author_association: "MEMBER",
    html_url: `${webOf(base, repo)}/pull/${issue.number}#discussion_r${index + 1}`,
    ...(remark.replyTo === undefined ? {} : { in_reply_to_id: remark.replyTo }),
  });

export const runWire = (base: string, repo: FakeRepo, run: FakeRun): Json => {
  const id = idOf(`${run.commit}${run.name}`) + (run.before ?? 0);
  return filled("check-run", {
    id,
    name: run.name,
    head_sha: run.commit,
    status: run.conclusion === null ? "in_progress" : "completed",
    conclusion: run.conclusion,
    html_url: `${webOf(base, repo)}/runs/${id}`,
    output: {
      title: null,
      summary: run.summary ?? null,
      text: null,
      annotations_count: 0,
      annotations_url: "",
    },
    app: filled("integration", {
      slug: run.log === null ? "other-ci" : "github-actions",
      owner: userWire("github"),
      permissions: {},
    }),
  });
};

export const statusWire = (base: string, repo: FakeRepo, commit: string): Json =>
  filled("combined-commit-status", {
    state: "success",
    sha: commit,
    statuses: [],
    total_count: 0,
    repository: filled("minimal-repository", repoParts(base, repo)),
  });
