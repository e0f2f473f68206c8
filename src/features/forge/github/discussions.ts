/**
 * GitHub's discussions, which only the GraphQL API offers. The latest changes come first, and a round ends at a known
 * discussion.
 */

import { z } from "zod";
import type { ArchivePage, ArchivedText } from "../../../ports/forge-archive.ts";
import type { GitHubClient } from "./ask.ts";

/** Number of discussions per request, and of answers per discussion. */
const PAGE = 50;
const ANSWERS = 50;

const QUERY = `query ($owner: String!, $repo: String!, $first: Int!, $answers: Int!, $after: String) {
  rateLimit { limit remaining resetAt }
  repository(owner: $owner, name: $repo) {
    discussions(first: $first, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number title body url closed updatedAt isAnswered
        comments(first: $answers) { nodes { databaseId body url updatedAt isAnswer } }
      }
    }
  }
}`;

const answer = z.object({
  rateLimit: z.object({ limit: z.number(), remaining: z.number(), resetAt: z.string() }).nullish(),
  repository: z.object({
    discussions: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      nodes: z.array(
        z.object({
          number: z.int(),
          title: z.string(),
          body: z.string(),
          url: z.string(),
          closed: z.boolean(),
          updatedAt: z.string(),
          isAnswered: z.boolean().nullish(),
          comments: z.object({
            nodes: z.array(
              z.object({
                databaseId: z.int().nullable(),
                body: z.string(),
                url: z.string(),
                updatedAt: z.string(),
                isAnswer: z.boolean(),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
});

type Discussion = z.output<typeof answer>["repository"]["discussions"]["nodes"][number];

const state = z.object({
  /** Change time up to which an earlier round has read; null if there was none. */
  known: z.string().nullable(),
  /** Newest change time of this round. */
  newest: z.string().nullable(),
  after: z.string().nullable(),
});

export const readDiscussions = async (
  { octokit, bounds: { owner, repo, request } }: GitHubClient,
  from: string | null,
): Promise<ArchivePage> => {
  const { known, newest, after } = state.parse(
    from === null ? { known: null, newest: null, after: null } : JSON.parse(from),
  );
  const { rateLimit, repository } = answer.parse(
    await octokit.graphql(QUERY, { owner, repo, first: PAGE, answers: ANSWERS, after, request }),
  );
  const { nodes, pageInfo } = repository.discussions;
  const fresh = nodes.filter(({ updatedAt }) => known === null || updatedAt > known);
  const first = newest ?? nodes[0]?.updatedAt ?? known;
  const isLast = !pageInfo.hasNextPage || fresh.length < nodes.length;
  return {
    leaves: fresh.flatMap(leavesOf),
    isLast,
    next: JSON.stringify(
      isLast
        ? { known: first, newest: null, after: null }
        : { known, newest: first, after: pageInfo.endCursor },
    ),
    rest: restOf(rateLimit),
  };
};

const leavesOf = (one: Discussion): readonly ArchivedText[] => {
  const key = `${one.number}`;
  return [
    {
      title: one.title,
      key,
      address: one.url,
      text: one.body,
      state: one.isAnswered === true ? "answered" : one.closed ? "closed" : "open",
      at: Date.parse(one.updatedAt),
    },
    ...one.comments.nodes.map(
      (comment, index): ArchivedText => ({
        title: one.title,
        key: `${key} ${comment.databaseId ?? index}`,
        of: key,
        address: comment.url,
        text: comment.body,
        at: Date.parse(comment.updatedAt),
      }),
    ),
  ];
};

/** A fifth of the limit is left for people, as for the rest of the API. */
const restOf = (limit: z.output<typeof answer>["rateLimit"]): number | null =>
  limit != null && limit.remaining < limit.limit / 5 ? Date.parse(limit.resetAt) : null;
