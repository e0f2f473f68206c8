/** A pull request with its files and what reviewers said. */

import type { Pull, PullFile, Remark, Review } from "../../ports/forge.ts";
import { gather, gatherEnd, leftOf, PAGE } from "../gather.ts";
import type { GitHubClient } from "./ask.ts";
import { pagedBy } from "./paged.ts";

/** Pages of files, and of remarks, that are read. */
const MAX_PAGES = 5;

export const readPull =
  (number: number) =>
  async ({ octokit, bounds }: GitHubClient): Promise<Pull> => {
    const named = { ...bounds, pull_number: number, per_page: PAGE };
    const [{ data: pull }, files, reviews, remarks] = await Promise.all([
      octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { ...bounds, pull_number: number }),
      gather(async (page) => {
        const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/files";
        const { data, headers } = await octokit.request(path, { ...named, page });
        return { ...pagedBy(headers), items: data };
      }, MAX_PAGES),
      gatherEnd(async (page) => {
        const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews";
        const { data, headers } = await octokit.request(path, { ...named, page });
        return { ...pagedBy(headers), items: data };
      }, MAX_PAGES),
      gatherEnd(async (page) => {
        const path = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
        const { data, headers } = await octokit.request(path, { ...named, page });
        return { ...pagedBy(headers), items: data };
      }, MAX_PAGES),
    ]);
    return {
      ...byWhom(pull),
      number: pull.number,
      title: pull.title,
      state: stateOf(pull),
      url: pull.html_url,
      base: pull.base.ref,
      head: pull.head.ref,
      headCommit: pull.head.sha,
      fork: forkOf(pull.base.repo.full_name, pull.head.repo?.full_name),
      added: pull.additions,
      removed: pull.deletions,
      filesInAll: pull.changed_files,
      files: files.items.map(
        (file): PullFile => ({
          path: file.filename,
          status: file.status,
          added: file.additions,
          removed: file.deletions,
          patch: file.patch ?? null,
        }),
      ),
      reviewsLeft: leftOf(reviews, remarks),
      reviews: [
        ...reviews.items.map(
          (review): Review => ({
            ...byWhom(review),
            on: review.state.toLowerCase().replaceAll("_", " "),
          }),
        ),
        ...remarks.items.map(
          (remark): Review => ({
            ...byWhom(remark),
            on: `${remark.path}:${remark.line ?? remark.original_line ?? "?"}`,
          }),
        ),
      ],
    };
  };

const stateOf = (pull: { readonly state: string; readonly merged: boolean; readonly draft?: boolean }) =>
  pull.merged ? "merged" : pull.draft === true && pull.state === "open" ? "draft" : pull.state;

/** A head whose repository is gone counts as a fork: nobody can say whose it was. */
const forkOf = (base: string, head: string | undefined): string | null =>
  head === base ? null : (head ?? "a deleted fork");

/** Who wrote something and when. */
export interface Posted {
  readonly user?: { readonly login?: string } | null;
  readonly created_at?: string;
  readonly submitted_at?: string;
  readonly body?: string | null;
}

export const byWhom = (posted: Posted): Remark => ({
  author: posted.user?.login ?? "ghost",
  at: Date.parse(posted.created_at ?? posted.submitted_at ?? ""),
  text: posted.body ?? "",
});
