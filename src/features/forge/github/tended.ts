/** GitHub's answers about a pull request that is looked after. */

import { RequestError } from "@octokit/request-error";
import type { ForgeQuery } from "../api/ask.ts";
import { createReadOwners, ownersFileOf } from "../api/owners-file.ts";
import { textIn } from "../api/text-in.ts";
import type { OwnersFile, Project, Remark } from "../ports/project.ts";
import type { GitHubClient } from "./ask.ts";
import { gatherLineComments, gatherReviews } from "./remarks.ts";

const WRITERS: readonly string[] = ["admin", "write"];

export const githubTended = (
  ask: ForgeQuery<GitHubClient>,
): Pick<Project, "ownersFile" | "remarks" | "mayWrite"> => ({
  ownersFile: createReadOwners(ask, fileAt),
  remarks: (number, signal) =>
    ask(`pull request #${number}`, signal, async (client) => {
      const [comments, reviews] = await Promise.all([
        gatherLineComments(client, number),
        gatherReviews(client, number),
      ]);
      return [
        ...comments.items.map(
          (one): Remark => ({
            ...writtenBy(one),
            id: `c${one.id}`,
            thread: `${one.in_reply_to_id ?? one.id}`,
            on: `${one.path}:${one.line ?? one.original_line ?? "?"}`,
          }),
        ),
        ...reviews.items.flatMap((one): readonly Remark[] =>
          one.state === "CHANGES_REQUESTED" && one.body !== ""
            ? [{ ...writtenBy(one), id: `r${one.id}`, thread: null, on: "changes requested" }]
            : [],
        ),
      ].toSorted((a, b) => a.at - b.at);
    }),
  mayWrite: (person, signal) =>
    ask(`person ${person.slice(0, 80)}`, signal, async ({ octokit, bounds }) => {
      const path = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
      try {
        const { data } = await octokit.request(path, { ...bounds, username: person });
        return WRITERS.includes(data.permission);
      } catch (error) {
        // Apps and deleted accounts are unknown here.
        if (isMissing(error)) return false;
        throw error;
      }
    }),
});

interface Written {
  readonly user?: { readonly login?: string; readonly type?: string } | null;
  readonly created_at?: string;
  readonly submitted_at?: string;
  readonly body?: string | null;
}

const writtenBy = ({ user, created_at: made, submitted_at: sent, body }: Written) => ({
  author: user?.login ?? "ghost",
  isBot: user?.type === "Bot",
  at: Date.parse(made ?? sent ?? ""),
  text: body ?? "",
});

const fileAt = async (
  { octokit, bounds }: GitHubClient,
  ref: string,
  path: string,
): Promise<OwnersFile | null> => {
  try {
    const asked = { ...bounds, path, ref };
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/contents/{path}", asked);
    if (Array.isArray(data) || data.type !== "file") return null;
    return ownersFileOf(data.encoding === "base64" ? textIn(data.content) : null);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const isMissing = (error: unknown): boolean => error instanceof RequestError && error.status === 404;
