/** Merging on the fake GitHub: rules of the base branch, the mergeable state, and merges by git itself. */

import { z } from "zod";
import { commitsBetween, filesBetween, fits, isBehind, merged, type Method, tipOf } from "../shared/merge.ts";
import { filled } from "./description.ts";
import type { Answer, Ask, Route } from "./routes.ts";
import { commitWire, userWire } from "./wire.ts";
import type { FakeFile, FakeIssue, FakePull, FakeRepo, Grant } from "./world.ts";

type Json = Readonly<Record<string, unknown>>;
type Refused = Answer & { readonly kind: "refused" };

const isOwn = (repo: FakeRepo, pull: FakePull): boolean => pull.from === `${repo.owner}/${repo.name}`;

/** Both ends as git has them; null for a pull request that only records describe. */
const endsOf = (repo: FakeRepo, pull: FakePull) => {
  if (repo.git === null || pull.merged || !isOwn(repo, pull)) return null;
  const [base, head] = [tipOf(repo.git, pull.base), tipOf(repo.git, pull.head)];
  if (head !== null) pull.headCommit = head;
  return base === null || head === null ? null : { base, head, bare: repo.git };
};

const required = (repo: FakeRepo) => ({ reviews: 0, checks: [], ...repo.merging });

/** The newest verdict of each reviewer. */
const verdicts = ({ reviews }: FakePull): ReadonlyMap<string, string> =>
  new Map(
    reviews
      .filter(({ state, association = "MEMBER" }) => state !== "COMMENTED" && association === "MEMBER")
      .map(({ author, state }) => [author, state]),
  );

const lacking = (repo: FakeRepo, pull: FakePull): string | null => {
  const { reviews, checks } = required(repo);
  const said = [...verdicts(pull).values()];
  const approvals = said.filter((state) => state === "APPROVED").length;
  if (approvals < reviews) {
    return `At least ${reviews} approving review is required by reviewers with write access.`;
  }
  if (reviews > 0 && said.includes("CHANGES_REQUESTED")) return "Changes were requested.";
  const runs = repo.runs.filter(({ commit }) => commit === pull.headCommit);
  const open = checks.filter(
    (name) => !runs.some((run) => run.name === name && run.conclusion === "success"),
  );
  return open.length === 0 ? null : `Required status check "${open[0]}" is expected.`;
};

const stateOf = (repo: FakeRepo, pull: FakePull): { mergeable: boolean | null; mergeable_state: string } => {
  const ends = endsOf(repo, pull);
  const { merging } = repo;
  if (merging?.unknown !== undefined && merging.unknown > 0) {
    merging.unknown -= 1;
    return { mergeable: null, mergeable_state: "unknown" };
  }
  if (pull.merged) return { mergeable: null, mergeable_state: "unknown" };
  if (ends !== null && !fits(ends.bare, ends)) return { mergeable: false, mergeable_state: "dirty" };
  if (pull.draft) return { mergeable: true, mergeable_state: "draft" };
  if (lacking(repo, pull) !== null) return { mergeable: true, mergeable_state: "blocked" };
  if (merging?.isStrict === true && ends !== null && isBehind(ends.bare, ends)) {
    return { mergeable: true, mergeable_state: "behind" };
  }
  const runs = repo.runs.filter(({ commit }) => commit === pull.headCommit);
  const isGreen = runs.every(({ conclusion }) => conclusion === "success");
  return { mergeable: true, mergeable_state: isGreen ? "clean" : "unstable" };
};

/** Unique on this forge: issues are made at different places. */
const ids = new WeakMap<FakeIssue, string>();
let made = 0;
const nodeId = (issue: FakeIssue): string => {
  const id = ids.get(issue) ?? `PR_${++made}`;
  ids.set(issue, id);
  return id;
};

/** What GitHub says of a single pull request, and not in a list. The head is read from git. */
export const withMerging = (repo: FakeRepo, issue: FakeIssue, pull: FakePull): Json => {
  const state = stateOf(repo, pull);
  const files = liveFiles(repo, pull);
  const sum = (of: "added" | "removed"): number => files.reduce((all, file) => all + file[of], 0);
  return {
    ...state,
    node_id: nodeId(issue),
    merged_by: pull.merged ? userWire("parley-app") : null,
    merge_commit_sha: pull.mergeCommit ?? null,
    additions: sum("added"),
    deletions: sum("removed"),
    changed_files: files.length,
  };
};

export const liveFiles = (repo: FakeRepo, pull: FakePull): readonly FakeFile[] => {
  const ends = pull.files.length > 0 ? null : endsOf(repo, pull);
  return ends === null ? pull.files : filesBetween(ends.bare, ends);
};

const mergeBody = z.object({
  sha: z.string().optional(),
  merge_method: z.enum(["merge", "squash", "rebase"]).default("merge"),
  commit_title: z.string().optional(),
  commit_message: z.string().optional(),
});

const METHOD_NAMES: Readonly<Record<Method, string>> = {
  merge: "Merge commits are",
  squash: "Squash merges are",
  rebase: "Rebase merges are",
};

const refused = (status: number, message: string): Refused => ({ kind: "refused", status, message });

const merge = ({ repo, body, params }: Ask, issue: FakeIssue, pull: FakePull): Answer => {
  const { sha, merge_method: method, commit_title: title, commit_message: text } = mergeBody.parse(body);
  const ends = endsOf(repo, pull);
  if (issue.state === "closed" || pull.merged || ends === null) {
    return refused(405, "Pull Request is not mergeable");
  }
  if (pull.draft) return refused(405, "Pull Request is still a draft");
  if (repo.merging?.methods?.includes(method) === false) {
    return refused(405, `${METHOD_NAMES[method]} not allowed on this repository.`);
  }
  if (sha !== undefined && sha !== pull.headCommit) {
    return refused(409, "Head branch was modified. Review and try the merge again.");
  }
  const why = lacking(repo, pull);
  if (why !== null) return refused(405, why);
  const whole = `${title ?? `Merge pull request #${params["pull_number"]}`}\n\n${text ?? issue.title}\n`;
  const made = merged(ends.bare, pull.base, { ...ends, method, message: whole });
  if (made === null) return refused(405, "Pull Request is not mergeable");
  issue.state = "closed";
  pull.merged = true;
  pull.mergeCommit = made;
  return {
    kind: "json",
    body: { sha: made, merged: true, message: "Pull Request successfully merged" },
  };
};

const pullOf = ({ repo, params }: Ask): readonly [FakeIssue, FakePull] | null => {
  const issue = repo.issues.find(({ number }) => String(number) === params["pull_number"]);
  return issue?.pull == null ? null : [issue, issue.pull];
};

const notFound: Answer = { kind: "notFound" };
const json = (body: unknown): Answer => ({ kind: "json", body });

export const mergingRoutes: Readonly<Record<string, Route>> = {
  "pulls/merge": {
    needs: "contents=write",
    serve: (ask) => {
      const found = pullOf(ask);
      return found === null ? notFound : merge(ask, ...found);
    },
  },
  "pulls/list-commits": {
    needs: "pull_requests=read",
    serve: (ask) => {
      const found = pullOf(ask);
      if (found === null) return notFound;
      const ends = endsOf(ask.repo, found[1]);
      const commits = ends === null ? [] : commitsBetween(ends.bare, ends);
      return {
        kind: "page",
        items: commits.map(({ message, ...commit }) =>
          commitWire({ ...commit, at: 0, text: message, files: [] }),
        ),
      };
    },
  },
  "repos/get-branch": {
    needs: "contents=read",
    serve: ({ repo, params }) => {
      const branch = params["branch"] ?? "";
      const sha = repo.git === null ? (repo.refs.get(branch) ?? null) : tipOf(repo.git, branch);
      if (sha === null) return notFound;
      const { checks, reviews, kind = "ruleset" } = required(repo);
      const isProtected = checks.length + reviews > 0;
      const contexts = kind === "classic" ? [...checks] : [];
      const status = { enforcement_level: isProtected ? "non_admins" : "off", contexts, checks: [] };
      return json(
        filled("branch-with-protection", {
          name: branch,
          commit: commitWire({ sha, author: "ana", at: 0, text: "", files: [] }),
          protected: isProtected,
          protection: { enabled: isProtected, required_status_checks: status },
        }),
      );
    },
  },
  "repos/get-branch-rules": {
    needs: "metadata=read",
    serve: ({ repo }) => {
      const { checks, reviews, kind = "ruleset", methods, isStrict = false, hasQueue } = required(repo);
      const from = { ruleset_source_type: "Repository", ruleset_source: repo.name, ruleset_id: 7 };
      const parameters = {
        dismiss_stale_reviews_on_push: false,
        require_code_owner_review: false,
        require_last_push_approval: false,
        required_approving_review_count: reviews,
        required_review_thread_resolution: false,
        ...(methods === undefined ? {} : { allowed_merge_methods: methods }),
      };
      const contexts = {
        strict_required_status_checks_policy: isStrict,
        required_status_checks: checks.map((context) => ({ context })),
      };
      const rules = [
        ...(reviews > 0 ? [{ type: "pull_request", parameters, ...from }] : []),
        ...(checks.length > 0 ? [{ type: "required_status_checks", parameters: contexts, ...from }] : []),
        ...(hasQueue === true ? [{ type: "merge_queue", ...from }] : []),
      ];
      return { kind: "page", items: kind === "classic" ? [] : rules };
    },
  },
  "repos/get-branch-protection": {
    needs: "administration=read",
    serve: ({ repo }) => {
      const { checks, reviews, kind } = required(repo);
      if (kind !== "classic" || checks.length + reviews === 0) return refused(404, "Branch not protected");
      const counted = { dismiss_stale_reviews: false, require_code_owner_reviews: false };
      return json({
        required_pull_request_reviews: { ...counted, required_approving_review_count: reviews },
      });
    },
  },
};

const queryBody = z.object({
  query: z.string().includes("markPullRequestReadyForReview"),
  variables: z.object({ id: z.string() }),
});

const failed = (type: string, message: string): Json => ({
  data: { markPullRequestReadyForReview: null },
  errors: [{ type, path: ["markPullRequestReadyForReview"], message }],
});

/** Marks a draft as ready; a problem is an answer 200 with errors. */
export const markedReady = (repos: readonly FakeRepo[], grant: Grant, body: unknown): Json => {
  const { variables } = queryBody.parse(body);
  const issue = repos.flatMap(({ issues }) => issues).find((one) => one.pull && nodeId(one) === variables.id);
  if (issue?.pull == null) return failed("NOT_FOUND", "Could not resolve to a node with that global id.");
  if (!grant.permissions.includes("pull_requests=write")) {
    return failed("FORBIDDEN", "Resource not accessible by personal access token");
  }
  issue.pull.draft = false;
  return { data: { markPullRequestReadyForReview: { pullRequest: { isDraft: false } } } };
};
