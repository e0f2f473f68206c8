/** Merging on GitHub: rules of the base branch, reviews, the mergeable state, and the merge itself. */

import { RequestError } from "@octokit/request-error";
import { z } from "zod";
import { listOf } from "../../../text/list-of.ts";
import { gather, gatherEnd, ITEMS_A_PAGE } from "../api/gather.ts";
import { type MergeClient, readSettled } from "../api/merge-writer.ts";
import { MERGE_METHODS, type MergeMethod, type MergeReview, type MergeStanding } from "../ports/merging.ts";
import type { GitHubClient } from "./ask.ts";
import { pagedBy } from "./paged.ts";

const MAX_PAGES = 3;

export const githubMerging = (client: GitHubClient, number: number): MergeClient => {
  const { octokit, bounds } = client;
  const named = { ...bounds, pull_number: number };
  const pull = async () =>
    (await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", named)).data;
  return {
    outcome: async () => {
      const { html_url: url, merged, head } = await pull();
      return { url, mergedHead: merged ? head.sha : null };
    },
    standing: async () => {
      const first = await pull();
      const base = first.base.ref;
      const [repo, rules, classic, commits, reviews] = await Promise.all([
        octokit.request("GET /repos/{owner}/{repo}", { ...bounds }),
        rulesOf(client, base),
        classicRulesOf(client, base),
        gather(async (page) => {
          const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits";
          const { data, headers } = await octokit.request(path, { ...named, per_page: ITEMS_A_PAGE, page });
          return { ...pagedBy(headers), items: data };
        }, MAX_PAGES),
        gatherEnd(async (page) => {
          const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews";
          const { data, headers } = await octokit.request(path, { ...named, per_page: ITEMS_A_PAGE, page });
          return { ...pagedBy(headers), items: data };
        }, MAX_PAGES),
      ]);
      const last = isSettled(first) ? first : await readSettled(pull, isSettled, bounds.request.signal);
      const required = Math.max(rules.reviews, classic.reviews ?? 0);
      const facts = {
        headCommit: last.head.sha,
        isDraft: last.draft === true,
        commits: commits.items.map(({ sha, commit, author }) => ({
          sha,
          title: commit.message.split("\n")[0] ?? "",
          author: author?.login ?? commit.author?.name ?? "unknown",
        })),
        commitsLeft: commits.left,
        methods: methodsOf(repo.data, rules),
        reviews: verdictsOf(reviews.items),
        requiredReviews: classic.reviews === null && rules.reviews === 0 ? null : required,
        requiredChecks: [...new Set([...rules.checks, ...classic.checks])],
      };
      return { ...facts, block: rules.hasQueue ? QUEUE : blockOf(last, facts) };
    },
    markReady: async () => {
      const { draft, node_id: id } = await pull();
      if (draft !== true) return;
      await octokit.graphql(READY, { id });
    },
    merge: async ({ headCommit, method, message }) => {
      await octokit.request("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge", {
        ...named,
        sha: headCommit,
        merge_method: method,
        ...(method === "rebase" ? {} : { commit_title: message.title, commit_message: message.text }),
      });
    },
  };
};

/** GitHub still answers `draft` or `unknown` for a moment after the end of the draft state. */
const isSettled = ({ mergeable, mergeable_state: state, draft }: PullState): boolean =>
  mergeable !== null && (draft === true || !COMPUTING.includes(state));

const COMPUTING: readonly string[] = ["draft", "unknown"];

/** The REST API cannot end the draft state. */
const READY =
  "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";

const QUEUE =
  "Its base branch uses a merge queue, which Parley cannot use. A person can add it to the queue on GitHub.";

interface PullState {
  readonly draft?: boolean | undefined;
  readonly mergeable: boolean | null;
  readonly mergeable_state: string;
  readonly base: { readonly ref: string };
}

const blockOf = (
  { mergeable, mergeable_state: state, base: { ref } }: PullState,
  { isDraft, requiredReviews }: Pick<MergeStanding, "isDraft" | "requiredReviews">,
): string | null => {
  if (mergeable === null || (!isDraft && COMPUTING.includes(state)))
    return "GitHub has not computed yet whether the branches fit. Propose the merge again in a minute.";
  if (!mergeable || state === "dirty")
    return `It has conflicts with ${ref}. Resolve the conflicts on its branch, then propose the merge again.`;
  if (state === "behind")
    return `${ref} has moved, and the repository merges only branches that contain ${ref}. Update the branch, then propose the merge again.`;
  // For a draft, GitHub does not say whether the rules of the branch are met.
  if (isDraft) return requiredReviews === null ? UNREADABLE : null;
  return state === "blocked" ? BLOCKED : null;
};

const UNREADABLE =
  "It is a draft, and Parley's credential may not read which reviews the branch requires. A person marks it as ready on GitHub; then propose the merge again.";
const BLOCKED =
  "GitHub blocks the merge: a rule of the base branch is not met, such as a required review, a required check or an unresolved conversation. Read the pull request on GitHub, then propose the merge again.";

interface BranchRules {
  readonly reviews: number;
  readonly checks: readonly string[];
  readonly methods: readonly string[] | null;
  readonly isLinear: boolean;
  readonly hasQueue: boolean;
}

const rule = z.object({
  type: z.string(),
  parameters: z
    .object({
      required_approving_review_count: z.int().optional(),
      allowed_merge_methods: z.array(z.string()).optional(),
      required_status_checks: z.array(z.object({ context: z.string() })).optional(),
    })
    .optional(),
});
const ruleList = z.unknown().transform(listOf(rule));

/** Rules of rulesets, which every reader of the repository may read. */
const rulesOf = async ({ octokit, bounds }: GitHubClient, branch: string): Promise<BranchRules> => {
  const path = "GET /repos/{owner}/{repo}/rules/branches/{branch}";
  const asked = octokit.request(path, { ...bounds, branch, per_page: ITEMS_A_PAGE });
  // An older Enterprise server has no rulesets.
  const rules = ruleList.parse(await asked.then(({ data }) => data, emptyIfAbsent));
  const parameters = rules.flatMap(({ parameters: given }) => given ?? []);
  const methods = parameters.flatMap(({ allowed_merge_methods: allowed }) =>
    allowed === undefined ? [] : [allowed],
  );
  return {
    reviews: Math.max(0, ...parameters.map(({ required_approving_review_count: count = 0 }) => count)),
    checks: parameters.flatMap(({ required_status_checks: list = [] }) => list.map(({ context }) => context)),
    methods:
      methods.length === 0
        ? null
        : MERGE_METHODS.filter((one) => methods.every((list) => list.includes(one))),
    isLinear: rules.some(({ type }) => type === "required_linear_history"),
    hasQueue: rules.some(({ type }) => type === "merge_queue"),
  };
};

const emptyIfAbsent = (error: unknown): readonly never[] => {
  if (error instanceof RequestError && error.status === 404) return [];
  throw error;
};

interface ClassicRules {
  /** Null if the credential may not read the protection of a protected branch. */
  readonly reviews: number | null;
  readonly checks: readonly string[];
}

/** The older protection of branches; only administrators may read how many reviews it requires. */
const classicRulesOf = async ({ octokit, bounds }: GitHubClient, branch: string): Promise<ClassicRules> => {
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/branches/{branch}", {
    ...bounds,
    branch,
  });
  const checks = data.protection.required_status_checks?.contexts ?? [];
  if (!data.protected) return { reviews: 0, checks };
  try {
    const path = "GET /repos/{owner}/{repo}/branches/{branch}/protection";
    const { data: all } = await octokit.request(path, { ...bounds, branch });
    return { reviews: all.required_pull_request_reviews?.required_approving_review_count ?? 0, checks };
  } catch (error) {
    if (!(error instanceof RequestError) || (error.status !== 403 && error.status !== 404)) throw error;
    return { reviews: /not protected/i.test(error.message) ? 0 : null, checks };
  }
};

interface Allowed {
  readonly allow_merge_commit?: boolean;
  readonly allow_squash_merge?: boolean;
  readonly allow_rebase_merge?: boolean;
}

const methodsOf = (repo: Allowed, { methods, isLinear }: BranchRules): readonly MergeMethod[] => {
  const allowed = {
    merge: repo.allow_merge_commit !== false && !isLinear,
    squash: repo.allow_squash_merge !== false,
    rebase: repo.allow_rebase_merge !== false,
  };
  return MERGE_METHODS.filter((method) => allowed[method] && methods?.includes(method) !== false);
};

interface Reviewed {
  readonly user: { readonly login: string } | null;
  readonly state: string;
  readonly author_association: string;
}

/** Associations with a repository that can include the right to write; verdicts of other people decide nothing. */
const INSIDERS: readonly string[] = ["OWNER", "MEMBER", "COLLABORATOR"];

const verdictsOf = (reviews: readonly Reviewed[]): readonly MergeReview[] => {
  const newest = new Map<string, string>();
  for (const { user, state, author_association: association } of reviews) {
    if (!INSIDERS.includes(association) || !["APPROVED", "CHANGES_REQUESTED", "DISMISSED"].includes(state))
      continue;
    newest.set(user?.login ?? "ghost", state);
  }
  return [...newest]
    .filter(([, state]) => state !== "DISMISSED")
    .map(([author, state]) => ({ author, verdict: state === "APPROVED" ? "approved" : "changes requested" }));
};
