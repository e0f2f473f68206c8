/**
 * How the world's records look in GitLab's answers. Each is held to the declarations of gitbeaker, which others keep after
 * GitLab's documentation: no field is made up, and none is of another type. Pure.
 */

import { basename } from "node:path";
import type {
  CommitStatusSchema,
  ExpandedMergeRequestSchema,
  IssueSchema,
  LabelSchema,
  MergeRequestDiffSchema,
  MergeRequestDiffVersionsSchema,
  MergeRequestDraftNoteSchema,
  MergeRequestNoteSchema,
  NoteSchema,
  ProjectSchema,
  SimpleUserSchema,
} from "@gitbeaker/core";
import type { FakeDraft, FakeIssue, FakeJob, FakeMerge, FakeProject, Note } from "./world.ts";

/** Some of the declared fields, and no others. Which of them can be null, the declarations do not say of all. */
type Some<T> = { readonly [Name in keyof T as string extends Name ? never : Name]?: Loose<T[Name]> | null };
type Loose<T> = T extends readonly (infer Item)[] ? readonly Loose<Item>[] : T extends object ? Some<T> : T;

const iso = (at: number): string => new Date(at).toISOString();

export const userWire = (username: string): Some<SimpleUserSchema> => ({
  id: username.length,
  username,
  name: username,
  state: "active",
  avatar_url: null,
  web_url: `https://gitlab.example/${username}`,
});

export const projectWire = (base: string, project: FakeProject, level: number): Some<ProjectSchema> => ({
  id: project.id,
  description: null,
  name: basename(project.path),
  path: basename(project.path),
  path_with_namespace: project.path,
  default_branch: "main",
  web_url: `${base}/${project.path}`,
  visibility: project.isPrivate ? "private" : "public",
  archived: project.archived,
  issues_enabled: true,
  permissions: { project_access: { access_level: level, notification_level: 3 }, group_access: null },
  merge_requests_enabled: true,
  merge_method: project.merging?.method ?? "merge",
  squash_option: project.merging?.squash ?? "default_off",
});

const postedWire = (given: FakeIssue | FakeMerge): Some<IssueSchema> & Some<ExpandedMergeRequestSchema> => ({
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

export const issueWire = (base: string, project: FakeProject, issue: FakeIssue): Some<IssueSchema> => ({
  ...postedWire(issue),
  id: project.id * 1_000 + issue.iid,
  project_id: project.id,
  closed_at: issue.state === "closed" ? new Date(issue.closed ?? issue.at).toISOString() : null,
  confidential: false,
  type: "ISSUE",
  web_url: `${base}/${project.path}/-/issues/${issue.iid}`,
});

export const isDraft = ({ title }: FakeMerge): boolean => /^(?:draft:|\[draft\]|\(draft\))/i.test(title);

export const mergeWire = (
  base: string,
  project: FakeProject,
  merge: FakeMerge,
): Some<ExpandedMergeRequestSchema> => ({
  ...postedWire(merge),
  id: project.id * 1_000 + merge.iid,
  project_id: project.id,
  draft: isDraft(merge),
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

type NoteFields = Omit<Some<MergeRequestNoteSchema>, "noteable_type"> &
  Pick<Some<NoteSchema>, "noteable_type">;

export const noteWire = (project: FakeProject, on: FakeIssue | FakeMerge, note: Note): NoteFields => ({
  id: 300 + on.notes.indexOf(note),
  body: note.text,
  author: userWire(note.author),
  created_at: iso(note.at),
  updated_at: iso(note.at),
  system: note.system === true,
  noteable_type: "source" in on ? "MergeRequest" : "Issue",
  noteable_iid: on.iid,
  project_id: project.id,
  resolvable: false,
  ...(note.position === undefined
    ? {}
    : {
        position: {
          position_type: "text",
          old_path: note.position.path,
          new_path: note.position.path,
          old_line: note.position.oldLine ?? null,
          new_line: note.position.line,
        },
      }),
});

export const draftWire = (merge: FakeMerge, { id, text }: FakeDraft): Some<MergeRequestDraftNoteSchema> => ({
  id,
  author_id: 3,
  merge_request_id: merge.iid,
  resolve_discussion: false,
  note: text,
});

export const versionWire = (
  merge: FakeMerge,
  head: string,
  id: number,
): Some<MergeRequestDiffVersionsSchema> => ({
  id: id + 1,
  head_commit_sha: head,
  base_commit_sha: BASE,
  start_commit_sha: BASE,
  created_at: iso(merge.at),
  merge_request_id: merge.iid,
  state: "collected",
  real_size: String(merge.diffs.length),
});

/** Commit that every merge request starts at. */
export const BASE = "b".repeat(40);

export const diffWire = ({
  path,
  diff,
  isNew,
}: FakeMerge["diffs"][number]): Some<MergeRequestDiffSchema> => ({
  old_path: path,
  new_path: path,
  a_mode: "100644",
  b_mode: "100644",
  diff,
  new_file: isNew === true,
  renamed_file: false,
  deleted_file: false,
});

export const statusWire = (base: string, project: FakeProject, job: FakeJob): Some<CommitStatusSchema> => ({
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
  author: userWire("ana"),
});

export const labelWire = (name: string, id: number): Some<LabelSchema> => ({
  id,
  name,
  color: "#d9534f",
  is_project_label: true,
});
