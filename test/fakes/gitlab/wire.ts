/** How the world's records look in GitLab's answers, with the fields that its documentation shows. Pure. */

import type { FakeIssue, FakeJob, FakeMerge, FakeProject, Note } from "./world.ts";

type Json = Readonly<Record<string, unknown>>;

const iso = (at: number): string => new Date(at).toISOString();

const userWire = (username: string): Json => ({
  id: username.length,
  username,
  name: username,
  state: "active",
  locked: false,
  avatar_url: null,
  web_url: `https://gitlab.example/${username}`,
});

export const projectWire = (base: string, project: FakeProject): Json => ({
  id: project.id,
  description: null,
  name: project.path.split("/").at(-1),
  path: project.path.split("/").at(-1),
  path_with_namespace: project.path,
  default_branch: "main",
  web_url: `${base}/${project.path}`,
  visibility: project.isPrivate ? "private" : "public",
  archived: project.archived,
  issues_enabled: true,
  merge_requests_enabled: true,
});

const postedWire = (given: FakeIssue | FakeMerge): Json => ({
  iid: given.iid,
  title: given.title,
  description: given.text,
  state: given.state,
  labels: given.labels,
  author: userWire(given.author),
  assignees: [],
  milestone: null,
  created_at: iso(given.at),
  updated_at: iso(given.at),
  upvotes: 0,
  downvotes: 0,
  user_notes_count: given.notes.filter(({ system }) => system !== true).length,
});

export const issueWire = (base: string, project: FakeProject, issue: FakeIssue): Json => ({
  ...postedWire(issue),
  id: project.id * 1_000 + issue.iid,
  project_id: project.id,
  closed_at: null,
  confidential: false,
  type: "ISSUE",
  issue_type: "issue",
  web_url: `${base}/${project.path}/-/issues/${issue.iid}`,
});

export const mergeWire = (base: string, project: FakeProject, merge: FakeMerge): Json => ({
  ...postedWire(merge),
  id: project.id * 1_000 + merge.iid,
  project_id: project.id,
  draft: merge.title.startsWith("Draft: "),
  source_branch: merge.source,
  target_branch: merge.target,
  source_project_id: merge.fork ?? project.id,
  target_project_id: project.id,
  sha: merge.sha,
  merge_commit_sha: null,
  detailed_merge_status: "mergeable",
  changes_count: String(merge.diffs.length),
  web_url: `${base}/${project.path}/-/merge_requests/${merge.iid}`,
});

export const noteWire = (project: FakeProject, note: Note, id: number): Json => ({
  id,
  type: note.position === undefined ? null : "DiffNote",
  body: note.text,
  author: userWire(note.author),
  created_at: iso(note.at),
  updated_at: iso(note.at),
  system: note.system === true,
  noteable_type: "Issue",
  project_id: project.id,
  resolvable: false,
  internal: false,
  ...(note.position === undefined
    ? {}
    : {
        position: {
          position_type: "text",
          old_path: note.position.path,
          new_path: note.position.path,
          old_line: null,
          new_line: note.position.line,
        },
      }),
});

export const diffWire = ({ path, diff, isNew }: FakeMerge["diffs"][number]): Json => ({
  old_path: path,
  new_path: path,
  a_mode: "100644",
  b_mode: "100644",
  diff,
  new_file: isNew === true,
  renamed_file: false,
  deleted_file: false,
  generated_file: false,
});

export const statusWire = (base: string, project: FakeProject, job: FakeJob): Json => ({
  id: job.id,
  sha: job.sha,
  ref: "main",
  status: job.status,
  name: job.name,
  target_url: `${base}/${project.path}/-/jobs/${job.id}`,
  description: job.description ?? null,
  created_at: iso(0),
  started_at: null,
  finished_at: null,
  allow_failure: false,
  coverage: null,
  author: userWire("ana"),
});
