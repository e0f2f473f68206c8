/** Merging on GitLab: approvals, the detailed merge status, and the merge itself. */

import { z } from "zod";
import { listOf } from "../../../text/list-of.ts";
import { gather, ITEMS_A_PAGE } from "../api/gather.ts";
import { type MergeClient, readSettled } from "../api/merge-writer.ts";
import { errorTextOf } from "../api/ask.ts";
import { withoutDraft } from "../api/without-draft.ts";
import type { MergeMethod } from "../ports/merging.ts";
import type { Client } from "./client.ts";
import { mergeWire } from "./schema.ts";

const MAX_PAGES = 3;

const standingWire = mergeWire.extend({
  /** Absent before GitLab 15.6. */
  detailed_merge_status: z.string().default("unknown"),
  /** For a draft, the status does not name conflicts. */
  has_conflicts: z.boolean().nullish(),
});

const methodWire = z.object({
  merge_method: z.enum(["merge", "rebase_merge", "ff"]).catch("merge"),
  squash_option: z.enum(["never", "always", "default_on", "default_off"]).catch("default_off"),
});

const approvalsWire = z.object({
  approvals_required: z.int().nullish(),
  approved_by: z.unknown().transform(listOf(z.object({ user: z.object({ username: z.string() }) }))),
});

const reviewerWire = z.object({ user: z.object({ username: z.string() }), state: z.string() });

const branchCommitWire = z.object({ id: z.string(), title: z.string(), author_name: z.string() });

export const gitlabMerging = (client: Client, number: number): MergeClient => {
  const path = `/merge_requests/${number}`;
  const merge = () => client.get(standingWire, path);
  return {
    outcome: async () => {
      const { web_url: url, state, sha } = await merge();
      return { url, mergedHead: state === "merged" ? (sha ?? null) : null };
    },
    standing: async () => {
      const [last, project, approvals, reviewers, commits] = await Promise.all([
        readSettled(merge, isSettled, client.signal),
        client.get(methodWire, ""),
        client.get(approvalsWire, `${path}/approvals`),
        client.list(reviewerWire, `${path}/reviewers`, { page: 1, per_page: ITEMS_A_PAGE }),
        gather(
          (page) => client.list(branchCommitWire, `${path}/commits`, { page, per_page: ITEMS_A_PAGE }),
          MAX_PAGES,
        ),
      ]);
      const against = reviewers.items.filter(({ state }) => state === "requested_changes");
      return {
        headCommit: last.sha ?? "",
        isDraft: last.draft,
        // GitLab lists the newest commit first.
        commits: commits.items
          .map(({ id: sha, title, author_name: author }) => ({ sha, title, author }))
          .toReversed(),
        commitsLeft: commits.left,
        methods: methodsOf(project),
        reviews: [
          ...approvals.approved_by.map(({ user }) => ({
            author: user.username,
            verdict: "approved" as const,
          })),
          ...against.map(({ user }) => ({ author: user.username, verdict: "changes requested" as const })),
        ],
        requiredReviews: approvals.approvals_required ?? 0,
        requiredChecks: [],
        block: blockOf(
          last.has_conflicts === true ? "conflict" : last.detailed_merge_status,
          last.target_branch,
        ),
      };
    },
    markReady: async () => {
      const { draft, title } = await merge();
      if (draft) await client.send(mergeWire, "PUT", path, { title: withoutDraft(title) });
    },
    merge: async ({ headCommit, method, message }) => {
      const text = `${message.title}\n\n${message.text}`;
      const isSquash = method === "squash";
      await client.send(mergeWire, "PUT", `${path}/merge`, {
        sha: headCommit,
        squash: isSquash,
        ...(isSquash ? { squash_commit_message: text } : {}),
        ...(method === "merge" ? { merge_commit_message: text } : {}),
      });
    },
  };
};

/** A fast-forward has no merge commit. */
const methodsOf = ({
  merge_method: way,
  squash_option: squash,
}: z.output<typeof methodWire>): readonly MergeMethod[] => {
  const plain = way === "ff" ? "rebase" : "merge";
  switch (squash) {
    case "never":
      return [plain];
    case "always":
      return ["squash"];
    case "default_on":
      return ["squash", plain];
    case "default_off":
      return [plain, "squash"];
  }
};

const COMPUTING: readonly string[] = ["checking", "unchecked", "preparing", "approvals_syncing"];

const isSettled = ({ detailed_merge_status: status }: z.output<typeof standingWire>): boolean =>
  !COMPUTING.includes(status);

/** States that the host judges itself (checks, approvals), and states without a problem. `draft_status`: the merge ends the draft. */
const PASSING: readonly string[] = ["mergeable", "draft_status"];

const REASONS: Readonly<Record<string, string>> = {
  ci_must_pass: "Its pipeline must pass first. Fix the pipeline, then propose the merge again.",
  ci_still_running: "Its pipeline still runs. Propose the merge again when the pipeline has passed.",
  status_checks_must_pass: "An external status check must pass first. Propose the merge again then.",
  discussions_not_resolved:
    "A thread of its review is not resolved. Resolve the thread, then propose the merge again.",
  not_approved: "A required approval is missing. Ask a reviewer, then propose the merge again.",
  requested_changes: "A reviewer requested changes. Answer the review first.",
  merge_request_blocked: "Another merge request must be merged first.",
  not_open: "It is not open anymore.",
};

const blockOf = (status: string, target: string): string | null => {
  if (PASSING.includes(status)) return null;
  if (COMPUTING.includes(status))
    return "GitLab has not computed yet whether the branches fit. Propose the merge again in a minute.";
  if (status === "conflict")
    return `It has conflicts with ${target}. Resolve the conflicts on its branch, then propose the merge again.`;
  if (status === "need_rebase")
    return `${target} has moved, and the project merges only branches that contain ${target}. Update the branch, then propose the merge again.`;
  return (
    REASONS[status] ?? `GitLab does not allow the merge yet: ${errorTextOf(status).replaceAll("_", " ")}.`
  );
};
