/** What GitHub tells, as far as it begins threads. Pure. */

import * as z from "zod";
import { type Happened, repoAt } from "./forge.ts";

/** `name`: of the event, as its header says it. Null where it is none that anybody hears. */
export const readGithub = (name: string, body: unknown): Happened | null => READERS.get(name)?.(body) ?? null;

type Reader = (body: unknown) => Happened | null;

const repository = z.object({ html_url: z.string(), full_name: z.string() });
const person = z.object({ login: z.string() });
const label = z.object({ name: z.string() });
const thing = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  user: person.nullish(),
});

const reader =
  <S extends z.ZodType>(schema: S, read: (body: z.output<S>) => Happened | null): Reader =>
  (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success ? read(parsed.data) : null;
  };

const issues = reader(
  z.object({
    action: z.string(),
    issue: thing.extend({ labels: z.array(label).nullish() }),
    label: label.nullish(),
    repository,
  }),
  ({ action, issue, label: given, repository: repo }) => {
    if (action !== "opened" && action !== "labeled") return null;
    const isLabelled = action === "labeled";
    const labels = isLabelled ? [given?.name ?? ""] : (issue.labels ?? []).map(({ name }) => name);
    const by = issue.user === null || issue.user === undefined ? "" : ` by ${issue.user.login}`;
    return {
      ...happened("issues", repo, issue.html_url, issue.body),
      title: `${repo.full_name}#${issue.number}: ${issue.title}`,
      text: `Issue${by}${isLabelled ? `, labelled ${labels.join()}` : ""}\n\n${issue.body ?? ""}`,
      fingerprint: `${repo.full_name}#${issue.number}`,
      labels,
      isLabelled,
    };
  },
);

const pulls = reader(
  z.object({
    action: z.string(),
    pull_request: thing.extend({ head: z.object({ ref: z.string() }) }),
    requested_reviewer: person.nullish(),
    repository,
  }),
  ({ action, pull_request: pull, requested_reviewer: reviewer, repository: repo }) => {
    if (action !== "opened" && action !== "review_requested") return null;
    const isReview = action === "review_requested";
    const asked = isReview
      ? `Review asked for${reviewer === null || reviewer === undefined ? "" : ` of ${reviewer.login}`}`
      : "Pull request";
    return {
      ...happened(isReview ? "reviews" : "pulls", repo, pull.html_url, pull.body),
      title: `${repo.full_name}#${pull.number}: ${pull.title}`,
      text: `${asked}, branch ${pull.head.ref}\n\n${pull.body ?? ""}`,
      fingerprint: `${repo.full_name}#${pull.number}${isReview ? " review" : ""}`,
      branch: pull.head.ref,
    };
  },
);

const FAILED: ReadonlySet<string> = new Set(["failure", "timed_out", "startup_failure", "action_required"]);

const failed = (repo: Repository, name: string, branch: string | null, link: string): Happened => ({
  ...happened("checks", repo, link, ""),
  title: `${repo.full_name}: checks failed${branch === null ? "" : ` on ${branch}`}`,
  text: `${name} failed.`,
  fingerprint: `${repo.full_name} checks ${branch ?? name}`,
  branch,
});

const checkRun = reader(
  z.object({
    action: z.string(),
    check_run: z.object({
      name: z.string(),
      conclusion: z.string().nullable(),
      html_url: z.string().nullish(),
      check_suite: z.object({ head_branch: z.string().nullable() }).nullish(),
    }),
    repository,
  }),
  ({ action, check_run: run, repository: repo }) =>
    action === "completed" && FAILED.has(run.conclusion ?? "")
      ? failed(repo, run.name, run.check_suite?.head_branch ?? null, run.html_url ?? repo.html_url)
      : null,
);

const workflowRun = reader(
  z.object({
    action: z.string(),
    workflow_run: z.object({
      name: z.string().nullish(),
      conclusion: z.string().nullable(),
      html_url: z.string(),
      head_branch: z.string().nullable(),
    }),
    repository,
  }),
  ({ action, workflow_run: run, repository: repo }) =>
    action === "completed" && FAILED.has(run.conclusion ?? "")
      ? failed(repo, run.name ?? "A workflow", run.head_branch, run.html_url)
      : null,
);

const status = reader(
  z.object({
    state: z.string(),
    context: z.string(),
    target_url: z.string().nullish(),
    branches: z.array(z.object({ name: z.string() })),
    repository,
  }),
  ({ state, context, target_url: link, branches, repository: repo }) =>
    state === "failure" || state === "error"
      ? failed(repo, context, branches[0]?.name ?? null, link ?? repo.html_url)
      : null,
);

const comment = reader(
  z.object({
    action: z.string(),
    comment: z.object({ id: z.int(), body: z.string(), html_url: z.string(), user: person.nullish() }),
    issue: thing.nullish(),
    pull_request: thing.nullish(),
    repository,
  }),
  ({ action, comment: said, issue, pull_request: pull, repository: repo }) => {
    const about = issue ?? pull ?? null;
    if (action !== "created" || about === null) return null;
    return {
      ...happened("mentions", repo, said.html_url, said.body),
      title: `${repo.full_name}#${about.number}: ${about.title}`,
      text: `Comment${said.user === null || said.user === undefined ? "" : ` by ${said.user.login}`}\n\n${said.body}`,
      fingerprint: `${repo.full_name} comment ${said.id}`,
    };
  },
);

const READERS: ReadonlyMap<string, Reader> = new Map([
  ["issues", issues],
  ["pull_request", pulls],
  ["check_run", checkRun],
  ["workflow_run", workflowRun],
  ["status", status],
  ["issue_comment", comment],
  ["pull_request_review_comment", comment],
]);

type Repository = z.output<typeof repository>;

const happened = (
  kind: Happened["kind"],
  repo: Repository,
  link: string,
  words: string | null | undefined,
) => ({
  kind,
  repo: repoAt(repo.html_url),
  link,
  words: words ?? "",
  labels: [],
  isLabelled: false,
  branch: null,
});
