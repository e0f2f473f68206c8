/** Merging on the fake GitLab: approvals, the detailed merge status, and merges by git itself. */

import { z } from "zod";
import { commitsBetween, filesBetween, fits, isBehind, merged, type Method, tipOf } from "../shared/merge.ts";
import type { Answer, Ask, Route } from "./routes.ts";
import { isDraft, mergeWire, userWire } from "./wire.ts";
import type { FakeMerge, FakeProject } from "./world.ts";

type Read = (name: string, path: string, query: z.ZodObject, serve: Route["serve"]) => Route;
type Write = (
  method: "POST" | "PUT",
  name: string,
  path: string,
  body: z.ZodObject,
  serve: Route["serve"],
) => Route;
type WithMerge = (serve: (ask: Ask, merge: FakeMerge) => Answer) => Route["serve"];

/** Both ends as git has them; null for a merge request that only records describe. */
const endsOf = (project: FakeProject, merge: FakeMerge) => {
  if (project.git === null || merge.fork !== null || merge.state !== "opened") return null;
  const [base, head] = [tipOf(project.git, merge.target), tipOf(project.git, merge.source)];
  if (head !== null) merge.sha = head;
  return base === null || head === null ? null : { base, head, bare: project.git };
};

/** Takes over the head from git. */
export const refreshed = (project: FakeProject, merge: FakeMerge): void => void endsOf(project, merge);

const jobsOf = ({ jobs }: FakeProject, { sha }: FakeMerge) => jobs.filter((job) => job.sha === sha);

const statusOf = (project: FakeProject, merge: FakeMerge): string => {
  const ends = endsOf(project, merge);
  const { merging = {} } = project;
  if (merging.checking !== undefined && merging.checking > 0) {
    merging.checking -= 1;
    return "checking";
  }
  if (merge.state !== "opened") return "not_open";
  if (isDraft(merge)) return "draft_status";
  if (merging.mustPass === true) {
    const states = jobsOf(project, merge).map(({ status }) => status);
    if (states.includes("running") || states.includes("pending")) return "ci_still_running";
    if (states.length === 0 || states.includes("failed")) return "ci_must_pass";
  }
  if (merge.approvedBy.length < (merging.approvals ?? 0)) return "not_approved";
  if (merge.changesBy.length > 0) return "requested_changes";
  if (ends !== null && !fits(ends.bare, ends)) return "conflict";
  const isLinear = merging.method === "ff" || merging.method === "rebase_merge";
  return isLinear && ends !== null && isBehind(ends.bare, ends) ? "need_rebase" : "mergeable";
};

export const mergingWire = (project: FakeProject, merge: FakeMerge) => {
  const status = statusOf(project, merge);
  const ends = endsOf(project, merge);
  return {
    sha: merge.sha,
    detailed_merge_status: status,
    has_conflicts: ends !== null && !fits(ends.bare, ends),
    merge_commit_sha: merge.mergeCommit ?? null,
    changes_count: String(liveDiffs(project, merge).length),
  };
};

export const liveDiffs = (project: FakeProject, merge: FakeMerge): FakeMerge["diffs"] => {
  const ends = merge.diffs.length > 0 ? null : endsOf(project, merge);
  if (ends === null) return merge.diffs;
  return filesBetween(ends.bare, ends).map(({ path, patch: diff, status }) => ({
    path,
    diff,
    isNew: status === "added",
  }));
};

const acceptBody = z.strictObject({
  sha: z.string().optional(),
  squash: z.boolean().optional(),
  merge_commit_message: z.string().optional(),
  squash_commit_message: z.string().optional(),
  should_remove_source_branch: z.boolean().optional(),
});

const refused = (status: number, message: string): Answer => ({ kind: "refused", status, message });
const json = (body: unknown): Answer => ({ kind: "json", body });

const accept = ({ base, project, body }: Ask, merge: FakeMerge): Answer => {
  const asked = acceptBody.parse(body);
  const status = statusOf(project, merge);
  const ends = endsOf(project, merge);
  if (merge.state !== "opened" || ends === null || isDraft(merge))
    return refused(405, "405 Method Not Allowed");
  if (asked.sha !== undefined && asked.sha !== merge.sha) {
    return refused(409, "SHA does not match HEAD of source branch");
  }
  if (status !== "mergeable") return refused(status === "conflict" ? 422 : 405, "Branch cannot be merged");
  const { method = "merge", squash = "default_off" } = project.merging ?? {};
  const isSquash = squash === "always" || (asked.squash === true && squash !== "never");
  const way: Method = isSquash ? "squash" : method === "ff" ? "rebase" : "merge";
  const message = (isSquash ? asked.squash_commit_message : asked.merge_commit_message) ?? merge.title;
  const made = merged(ends.bare, merge.target, { ...ends, method: way, message });
  if (made === null) return refused(422, "Branch cannot be merged");
  merge.state = "merged";
  merge.mergeCommit = made;
  return json(mergeWire(base, project, merge));
};

const iid = "(\\d+)";
const pages = z.strictObject({ page: z.string().optional(), per_page: z.string().optional() });
const none = z.strictObject({});

export const mergingRoutes = (read: Read, write: Write, withMerge: WithMerge): readonly Route[] => [
  read(
    "merge request approvals",
    `/merge_requests/${iid}/approvals`,
    none,
    withMerge(({ project }, merge) => {
      const needed = project.merging?.approvals ?? 0;
      return json({
        approved: merge.approvedBy.length >= needed,
        approvals_required: needed,
        approvals_left: Math.max(0, needed - merge.approvedBy.length),
        approved_by: merge.approvedBy.map((name) => ({ user: userWire(name) })),
      });
    }),
  ),
  read(
    "merge request reviewers",
    `/merge_requests/${iid}/reviewers`,
    pages,
    withMerge((_, merge) => ({
      kind: "list",
      items: [
        ...merge.approvedBy.map((name) => ({ user: userWire(name), state: "approved" })),
        ...merge.changesBy.map((name) => ({ user: userWire(name), state: "requested_changes" })),
      ],
    })),
  ),
  read(
    "merge request commits",
    `/merge_requests/${iid}/commits`,
    pages,
    withMerge(({ project }, merge) => {
      const ends = endsOf(project, merge);
      const commits = ends === null ? [] : commitsBetween(ends.bare, ends).toReversed();
      return {
        kind: "list",
        items: commits.map(({ sha: id, message, author: author_name }) => ({
          id,
          short_id: id.slice(0, 8),
          title: message.split("\n")[0],
          message,
          author_name,
        })),
      };
    }),
  ),
  write(
    "PUT",
    "accept merge request",
    `/merge_requests/${iid}/merge`,
    acceptBody,
    withMerge((ask, merge) => accept(ask, merge)),
  ),
];
