/**
 * What tools need of a forge: reading issues, pull requests and checks, always of one repository. No member throws or
 * rejects. Every text in an answer was written by somebody out there: it is quoted before a model sees it.
 */

import type { Millis } from "../../../machine/id.ts";
import type { Repo } from "../../../ports/conversation.ts";
import type { ForgeResult } from "../../../ports/forge.ts";

export interface Forges {
  /** The project that a conversation is bound to; `none` with the reason where its repository is on no known forge. */
  at(repo: Repo): ProjectLookup;
}

export type SearchState = "open" | "closed" | "all";

export type ProjectLookup<P = Project> =
  | { readonly kind: "project"; readonly project: P }
  | { readonly kind: "none"; readonly why: string };

/** One repository on its forge: nothing else can be reached through it. */
export interface Project {
  /** As people write it: `acme/shop`, with the host before it where that is not github.com. */
  readonly name: string;
  /** The forge itself: what its answers say is untrusted. */
  readonly host: string;
  /** What stands before the number of a pull request: `!` where the forge counts issues apart from them. */
  readonly pullSign: "#" | "!";
  /** `page`: 30 comments each, from 1. */
  issue(number: number, page: number, signal: AbortSignal): Promise<ForgeResult<Issue>>;
  /** Issues and pull requests, the best match first, at most 20. */
  search(query: string, state: SearchState, signal: AbortSignal): Promise<ForgeResult<SearchResult>>;
  pull(number: number, signal: AbortSignal): Promise<ForgeResult<Pull>>;
  /** Of a commit, branch or tag; logs of what failed are the last part of each. */
  checks(ref: string, signal: AbortSignal): Promise<ForgeResult<Checks>>;
}

export interface Comment {
  readonly author: string;
  readonly at: Millis;
  readonly text: string;
}

export interface Issue extends Comment {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly isPull: boolean;
  readonly url: string;
  readonly labels: readonly string[];
  /** Of one page, the oldest first. */
  readonly comments: readonly Comment[];
  readonly commentsInAll: number;
}

export interface SearchResult {
  /** Null if there are more than `hits`, and the forge does not count them. */
  readonly inAll: number | null;
  readonly hits: readonly IssueHit[];
}

export type IssueHit = Omit<Issue, "text" | "labels" | "comments" | "commentsInAll">;

export interface Pull extends Comment, Pick<Issue, "number" | "title" | "url"> {
  /** `open`, `draft`, `closed` or `merged`. */
  readonly state: string;
  readonly base: string;
  readonly head: string;
  readonly headCommit: string;
  /** The repository that the head is in, where that is another one. */
  readonly fork: string | null;
  readonly added: number;
  readonly removed: number;
  readonly filesInAll: number;
  /** At most 500. */
  readonly files: readonly PullFile[];
  /** The newest, the oldest of them first. */
  readonly reviews: readonly Review[];
  /** Older ones that were not read; null if there are some and the forge does not count them. */
  readonly reviewsLeft: number | null;
}

export interface PullFile {
  readonly path: string;
  readonly status: string;
  readonly added: number;
  readonly removed: number;
  /** Null where the forge shows none: a binary or a very large file. */
  readonly patch: string | null;
}

/** A verdict, or a remark on a line. */
export interface Review extends Comment {
  /** `approved`, `changes requested`, `commented` … or `path:line`. */
  readonly on: string;
}

export interface Checks {
  readonly ref: string;
  readonly runs: readonly CheckRun[];
  /** Checks that were not read; null if there are some and the forge does not count them. */
  readonly left: number | null;
}

export interface CheckRun {
  readonly name: string;
  /** `success`, `failure`, `in progress` … */
  readonly state: string;
  readonly failed: boolean;
  readonly url: string | null;
  /** The end of what it printed, where it failed and the forge gives it. */
  readonly log: string | null;
}
