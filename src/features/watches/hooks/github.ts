import { listOf } from "../../../text/list-of.ts";
import * as z from "zod";
import {
  type Happened,
  type PullHead,
  happened,
  isOwnBranch,
  type WebhookReader,
  reader,
  repoAt,
} from "./forge.ts";

/** `name`: event name from the header. Null for an event that no watch can receive. */
export const readGithub = (name: string, body: unknown): Happened | null => READERS.get(name)?.(body) ?? null;

/** Host and path of the repository of a push; null for any other event. */
export const pushedAtGithub = (name: string, body: unknown): string | null => {
  const pushed = name === "push" ? z.object({ repository }).safeParse(body).data : undefined;
  return pushed === undefined ? null : repoAt(pushed.repository.html_url);
};

const repository = z.object({ html_url: z.string(), full_name: z.string() });
type Repository = z.output<typeof repository>;
const person = z.object({ login: z.string() });
const label = z.object({ name: z.string() });
const thing = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  user: person.nullish(),
});

const headed = thing.extend({
  merged: z.boolean().nullish(),
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
});

const headOf = ({ head, number: pull }: z.output<typeof headed>, repo: Repository): PullHead => ({
  branch: head.ref,
  isHere: head.repo?.full_name === repo.full_name,
  pull,
});

const end = z.object({ repo: z.object({ id: z.int() }) });
/** Pull requests of a commit; GitHub omits pull requests from forks. */
const pulled = z
  .unknown()
  .transform(listOf(z.object({ number: z.int(), head: end, base: end })))
  .catch([]);

const pullOf = (pulls: z.output<typeof pulled>): Omit<PullHead, "branch"> => {
  const own = pulls.find(({ head, base }) => head.repo.id === base.repo.id);
  return { isHere: own !== undefined, pull: own?.number ?? null };
};

const issues = reader(
  z.object({
    action: z.string(),
    issue: thing.extend({ labels: z.unknown().transform(listOf(label)).nullish() }),
    label: label.nullish(),
    repository,
  }),
  ({ action, issue, label: given, repository: repo }) => {
    if (action !== "opened" && action !== "labeled") return null;
    const isLabelled = action === "labeled";
    const labels = isLabelled ? [given?.name ?? ""] : (issue.labels ?? []).map(({ name }) => name);
    const by = issue.user === null || issue.user === undefined ? "" : ` by ${issue.user.login}`;
    return {
      ...happened("issues", repo.html_url, issue.html_url, issue.body),
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
    pull_request: headed,
    requested_reviewer: person.nullish(),
    requested_team: z.object({ name: z.string() }).nullish(),
    repository,
  }),
  ({ action, pull_request: pull, requested_reviewer: reviewer, requested_team: team, repository: repo }) => {
    if (action === "closed" && pull.merged === true)
      return {
        ...happened("merged", repo.html_url, pull.html_url, ""),
        ...headOf(pull, repo),
        title: `${repo.full_name}#${pull.number}: ${pull.title}`,
        text: "",
        fingerprint: `${repo.full_name}#${pull.number} merged`,
        once: String(pull.number),
      };
    if (action !== "opened" && action !== "review_requested") return null;
    const isReview = action === "review_requested";
    const whom = reviewer?.login ?? team?.name;
    const asked = isReview
      ? `Review of pull request ${pull.number} asked for${whom === undefined ? "" : ` of ${whom}`}`
      : "Pull request";
    return {
      ...happened(isReview ? "reviews" : "pulls", repo.html_url, pull.html_url, pull.body),
      title: `${repo.full_name}#${pull.number}: ${pull.title}`,
      text: `${asked}, branch ${pull.head.ref}\n\n${pull.body ?? ""}`,
      fingerprint: `${repo.full_name}#${pull.number}${isReview ? " review" : ""}`,
      ...headOf(pull, repo),
    };
  },
);

const review = reader(
  z.object({
    action: z.string(),
    review: z.object({
      id: z.int(),
      state: z.string(),
      body: z.string().nullish(),
      html_url: z.string(),
      user: person.nullish(),
    }),
    pull_request: headed,
    repository,
  }),
  ({ action, review: given, pull_request: pull, repository: repo }) =>
    action === "submitted"
      ? {
          ...happened("reviewed", repo.html_url, given.html_url, given.body),
          ...headOf(pull, repo),
          title: `${repo.full_name}#${pull.number}: ${pull.title}`,
          text: `${VERDICTS.get(given.state.toLowerCase()) ?? "Commented on"} by ${given.user?.login ?? "somebody"}\n\n${given.body ?? ""}`,
          fingerprint: `${repo.full_name} review ${given.id}`,
          once: String(given.id),
        }
      : null,
);

const VERDICTS = new Map([
  ["approved", "Approved"],
  ["changes_requested", "Changes requested"],
]);

const FAILED: ReadonlySet<string> = new Set(["failure", "timed_out", "startup_failure", "action_required"]);

/** A failure at a commit. */
interface Failed extends PullHead {
  readonly name: string;
  readonly commit: string | undefined;
  readonly link: string | null | undefined;
}

const failed = (repo: Repository, { name, commit, link, ...head }: Failed): Happened => ({
  ...happened("checks", repo.html_url, link ?? repo.html_url, ""),
  ...head,
  title: `${repo.full_name}: checks failed${head.branch === null ? "" : ` on ${head.branch}`}`,
  text: `${name} failed.`,
  fingerprint: `${repo.full_name} checks ${head.branch ?? name}`,
  once: commit ?? null,
});

const check = z.object({
  name: z.string().nullish(),
  app: z.object({ name: z.string() }).nullish(),
  conclusion: z.string().nullish(),
  html_url: z.string().nullish(),
  head_branch: z.string().nullish(),
  head_sha: z.string().optional(),
  head_repository: z.object({ full_name: z.string() }).nullish(),
  check_suite: z.object({ head_branch: z.string().nullable() }).nullish(),
  pull_requests: pulled,
});

const checks = reader(
  z.object({
    action: z.string(),
    check_run: check.optional(),
    check_suite: check.optional(),
    workflow_run: check.optional(),
    repository,
  }),
  ({ action, check_run: run, check_suite: suite, workflow_run: workflow, repository: repo }) => {
    const one = run ?? suite ?? workflow;
    if (one === undefined || action !== "completed" || !FAILED.has(one.conclusion ?? "")) return null;
    const branch = one.head_branch ?? one.check_suite?.head_branch ?? null;
    // The runs of a suite arrive as separate events.
    if (one === suite && !isOwnBranch(branch)) return null;
    return failed(repo, {
      name: one.name ?? one.app?.name ?? (one === workflow ? "A workflow" : "A check"),
      commit: one.head_sha,
      link: one.html_url,
      branch,
      ...pullOf(one.pull_requests),
      ...(one === workflow ? { isHere: one.head_repository?.full_name === repo.full_name } : {}),
    });
  },
);

/** The branches of a status belong to the repository itself. */
const status = reader(
  z.object({
    state: z.string(),
    context: z.string(),
    sha: z.string().optional(),
    target_url: z.string().nullish(),
    branches: z.unknown().transform(listOf(z.object({ name: z.string() }))),
    repository,
  }),
  ({ state, context, sha: commit, target_url: link, branches, repository: repo }) => {
    if (state !== "failure" && state !== "error") return null;
    const branch = (branches.find(({ name }) => isOwnBranch(name)) ?? branches[0])?.name ?? null;
    return failed(repo, { name: context, commit, link, branch, isHere: true, pull: null });
  },
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
      ...happened("mentions", repo.html_url, said.html_url, said.body),
      title: `${repo.full_name}#${about.number}: ${about.title}`,
      text: `Comment${said.user === null || said.user === undefined ? "" : ` by ${said.user.login}`}\n\n${said.body}`,
      fingerprint: `${repo.full_name} comment ${said.id}`,
    };
  },
);

const READERS: ReadonlyMap<string, WebhookReader> = new Map([
  ["issues", issues],
  ["pull_request", pulls],
  ["pull_request_review", review],
  ["check_run", checks],
  ["check_suite", checks],
  ["workflow_run", checks],
  ["status", status],
  ["issue_comment", comment],
  ["pull_request_review_comment", comment],
]);
