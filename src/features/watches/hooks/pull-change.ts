/**
 * Changes of pull requests, for features that read pull requests. Only numbers and branches are read: such a feature asks the
 * forge for the rest. Pure.
 */

import * as z from "zod";
import type { PullChange } from "../../../ports/forge.ts";
import { listOf } from "../../../text/list-of.ts";
import { repoAt } from "./forge.ts";

/** Null if the event is not about a pull request, a branch or a commit of a branch. */
export const pullChangeAtGithub = (name: string, body: unknown): PullChange | null => {
  const sent = GITHUB_EVENTS.has(name) ? githubBody.safeParse(body).data : undefined;
  if (sent === undefined) return null;
  const { repository, pull_request: pull, issue, branches, ref } = sent;
  const check = sent.check_run ?? sent.check_suite ?? sent.workflow_run;
  return change(
    repository.html_url,
    [pull?.number, issue?.number, ...(check?.pull_requests ?? []).map(({ number }) => number)],
    [
      pull?.head?.ref,
      check?.head_branch,
      check?.check_suite?.head_branch,
      ...branches.map((branch) => branch.name),
      branchIn(ref),
    ],
  );
};

const GITHUB_EVENTS: ReadonlySet<string> = new Set([
  "check_run",
  "check_suite",
  "workflow_run",
  "status",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "pull_request_review_thread",
  "issue_comment",
  "push",
]);

/** Null if the event is not about a merge request or a branch. */
export const pullChangeAtGitlab = (body: unknown): PullChange | null => {
  const sent = gitlabBody.safeParse(body).data;
  const address = sent?.project?.web_url ?? sent?.repository?.homepage;
  if (sent === undefined || address === undefined) return null;
  const { object_kind: kind, object_attributes: own, merge_request: merge, ref } = sent;
  const isMerge = kind === "merge_request";
  return change(
    address,
    [merge?.iid, isMerge ? own?.iid : undefined],
    [
      merge?.source_branch,
      isMerge ? own?.source_branch : undefined,
      kind === "pipeline" ? own?.ref : undefined,
      kind === "build" ? ref : branchIn(ref),
    ],
  );
};

const change = (
  address: string,
  numbers: readonly (number | null | undefined)[],
  branches: readonly (string | null | undefined)[],
): PullChange | null => {
  const found: PullChange = {
    repo: repoAt(address),
    numbers: [...new Set(numbers.flatMap((one) => one ?? []))],
    branches: [...new Set(branches.flatMap((one) => one ?? []))],
  };
  return found.numbers.length + found.branches.length === 0 ? null : found;
};

const branchIn = (ref: string | undefined): string | undefined => /^refs\/heads\/(.+)$/.exec(ref ?? "")?.[1];

/** A part of another form is left out, so that the rest is still read. */
const part = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined);
const text = part(z.string());
const list = <S extends z.ZodType>(schema: S) => z.unknown().transform(listOf(schema)).catch([]);

const numbered = z.object({ number: z.int() });
const check = part(
  z.object({
    head_branch: text,
    check_suite: part(z.object({ head_branch: text })),
    pull_requests: list(numbered),
  }),
);

const githubBody = z.object({
  repository: z.object({ html_url: z.string() }),
  pull_request: part(numbered.extend({ head: part(z.object({ ref: z.string() })) })),
  // GitHub counts issues and pull requests together, so the number of an issue is no pull request.
  issue: part(numbered),
  check_run: check,
  check_suite: check,
  workflow_run: check,
  branches: list(z.object({ name: z.string() })),
  ref: z.string().optional().catch(undefined),
});

const merging = z.object({ iid: z.int(), source_branch: text });

const gitlabBody = z.object({
  object_kind: z.enum(["pipeline", "build", "note", "merge_request", "push"]),
  project: part(z.object({ web_url: z.string() })),
  repository: part(z.object({ homepage: z.string() })),
  object_attributes: part(z.object({ iid: part(z.int()), source_branch: text, ref: text })),
  merge_request: part(merging),
  ref: z.string().optional().catch(undefined),
});
