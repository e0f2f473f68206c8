/** Schemas of GitLab's answers, limited to the used fields (docs.gitlab.com/api). Names are GitLab's own. */

import { z } from "zod";
import { listOf } from "../../../text/list-of.ts";
import type { Comment } from "../ports/project.ts";

const author = z.object({ username: z.string() }).nullish();
const posted = { author, created_at: z.string() };

/** GitLab's level of developers, who may push. */
export const GITLAB_DEVELOPER = 30;

const level = z.object({ access_level: z.int() }).nullish().catch(null);

export const projectWire = z.object({
  path_with_namespace: z.string(),
  archived: z.boolean().default(false),
  default_branch: z.string().nullish(),
  issues_enabled: z.boolean().default(true),
  /** Roles of the account that asks. */
  permissions: z.object({ project_access: level, group_access: level }).nullish().catch(null),
});

/** Common fields of issues and merge requests. */
const item = z.object({
  ...posted,
  iid: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  web_url: z.string(),
});

export const issueWire = item.extend({
  labels: z.unknown().transform(listOf(z.string())),
  user_notes_count: z.int().default(0),
  closed_at: z.string().nullish(),
});
export type IssueWire = z.output<typeof issueWire>;

export const mergeWire = item.extend({
  draft: z.boolean().default(false),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int(),
  sha: z.string().nullish(),
  /** Such as `3` or `1000+`. */
  changes_count: z.string().nullish(),
});
export type MergeWire = z.output<typeof mergeWire>;

export const noteWire = z.object({
  ...posted,
  id: z.int(),
  body: z.string(),
  system: z.boolean(),
  position: z
    .object({
      new_path: z.string().nullish(),
      old_path: z.string().nullish(),
      new_line: z.int().nullish(),
      old_line: z.int().nullish(),
    })
    .nullish(),
});
export type NoteWire = z.output<typeof noteWire>;

/** Comment that only its author sees until it is published. */
export const draftNoteWire = z.object({ id: z.int(), note: z.string() });
export type DraftNoteWire = z.output<typeof draftNoteWire>;

/** State of a merge request's diff. */
export const versionWire = z.object({
  head_commit_sha: z.string(),
  base_commit_sha: z.string(),
  start_commit_sha: z.string(),
});
export const discussionWire = z.object({ id: z.string(), notes: z.array(noteWire) });
export const memberWire = z.object({ username: z.string(), access_level: z.int() });

export const diffWire = z.object({
  old_path: z.string(),
  new_path: z.string(),
  diff: z.string(),
  new_file: z.boolean(),
  renamed_file: z.boolean(),
  deleted_file: z.boolean(),
});
export type DiffWire = z.output<typeof diffWire>;

export const statusWire = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
});
export type StatusWire = z.output<typeof statusWire>;

export const labelWire = z.object({ name: z.string() });
export const commitWire = z.object({ id: z.string() });
export const wholeCommitWire = commitWire.extend({
  message: z.string(),
  author_name: z.string(),
  created_at: z.string(),
});
export const treeWire = z.object({ name: z.string(), type: z.string() });
export const fileContentWire = z.object({ content: z.string() });

/** A text with its author and time. */
export const commentOf = (
  given: { readonly author?: z.output<typeof author>; readonly created_at: string },
  text: string | null | undefined,
): Comment => ({
  author: given.author?.username ?? "ghost",
  at: Date.parse(given.created_at),
  text: text ?? "",
});
