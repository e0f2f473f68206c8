/**
 * Reading issues, pull requests and checks of one repository on a forge. No method throws or rejects. Every
 * text in an answer is untrusted content and is quoted before a model reads it.
 */

import type { Millis } from "../../../machine/id.ts";
import type { Repo } from "../../../ports/conversation.ts";
import type { ForgeResult } from "../../../ports/forge.ts";

export interface Forges {
  /** The project of a repository; `none` with the reason if no known forge has it. */
  at(repo: Repo): ProjectLookup;
}

/** `states`: no logs are read. */
export type CheckReading = "states" | "logs";

export type SearchState = "open" | "closed" | "all";

export type ProjectLookup<P = Project> =
  | { readonly kind: "project"; readonly project: P }
  | { readonly kind: "none"; readonly why: string };

/** One repository on its forge; no other repository can be accessed through it. */
export interface Project {
  /** Name as people write it: `acme/shop`, after the host's name unless the host is github.com. */
  readonly name: string;
  /** Host of the forge, whose answers are untrusted. */
  readonly host: string;
  readonly kind: "github" | "gitlab";
  /** Sign before the number of a pull request: `!` if the forge numbers issues separately. */
  readonly pullSign: "#" | "!";
  /** `page`: page of 30 comments, from 1. */
  issue(number: number, page: number, signal: AbortSignal): Promise<ForgeResult<Issue>>;
  /** Issues and pull requests, best match first, at most 20. */
  search(query: string, state: SearchState, signal: AbortSignal): Promise<ForgeResult<SearchResult>>;
  pull(number: number, signal: AbortSignal): Promise<ForgeResult<Pull>>;
  /** Checks of a commit, branch or tag, with the end of the log of each failed check. */
  checks(ref: string, signal: AbortSignal, read?: CheckReading): Promise<ForgeResult<Checks>>;
  commit(sha: string, signal: AbortSignal): Promise<ForgeResult<ForgeCommit>>;
  /** `ref`: a branch, tag or commit. */
  file(ref: string, path: string, signal: AbortSignal): Promise<ForgeResult<ForgeFile>>;
  ownersFile(ref: string, signal: AbortSignal): Promise<ForgeResult<OwnersFile>>;
  /** The newest remarks of people on a pull request, in order of time. */
  remarks(number: number, signal: AbortSignal): Promise<ForgeResult<readonly Remark[]>>;
  /** Whether the forge lets the person push to the repository. */
  mayWrite(person: string, signal: AbortSignal): Promise<ForgeResult<boolean>>;
  /** Entries of a folder, at most 1,000; empty if the folder is missing or may not be read. `path`: empty for the root. */
  folder(ref: string, path: string, signal: AbortSignal): Promise<ForgeResult<readonly FolderEntry[]>>;
  /** Issues whose titles have some of the words, at most 80. `words`: letters and digits, telling words first. */
  similar(words: readonly string[], signal: AbortSignal): Promise<ForgeResult<readonly SimilarIssue[]>>;
}

/** A comment on a line, or a review that requests changes. */
export interface Remark extends Comment {
  /** Unique among the remarks of the pull request. */
  readonly id: string;
  /** Thread that answers belong to; null if the remark has no thread of its own. */
  readonly thread: string | null;
  /** `path:line`, or the verdict of a review. */
  readonly on: string;
  /** Whether an app wrote the remark. */
  readonly isBot: boolean;
}

/** CODEOWNERS at a commit. `unreadable`: too large, or no text. */
export type OwnersFile =
  | { readonly kind: "none" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "text"; readonly text: string };

/** Places of CODEOWNERS in order of precedence. */
export const OWNER_FILES: readonly string[] = [
  ".github/CODEOWNERS",
  "CODEOWNERS",
  "docs/CODEOWNERS",
  ".gitlab/CODEOWNERS",
];

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
  /** Comments of one page, oldest first. */
  readonly comments: readonly Comment[];
  readonly commentsInAll: number;
}

export interface SearchResult {
  /** Total number of hits; null if there are more hits than `hits` and the forge does not count them. */
  readonly inAll: number | null;
  readonly hits: readonly IssueHit[];
}

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface SimilarIssue extends IssueHit {
  /** Null for an open issue. */
  readonly closedAt: Millis | null;
}

export type IssueHit = Omit<Issue, "text" | "labels" | "comments" | "commentsInAll">;

export interface Pull extends Comment, Pick<Issue, "number" | "title" | "url"> {
  /** `open`, `draft`, `closed` or `merged`. */
  readonly state: string;
  readonly base: string;
  readonly head: string;
  readonly headCommit: string;
  /** Repository of the head if the head is in another repository; null otherwise. */
  readonly fork: string | null;
  readonly added: number;
  readonly removed: number;
  readonly filesInAll: number;
  /** At most 500. */
  readonly files: readonly PullFile[];
  /** The newest reviews, in order of time. */
  readonly reviews: readonly Review[];
  /** Number of older reviews that were not read; null if there are some and the forge does not count them. */
  readonly reviewsLeft: number | null;
}

export interface PullFile {
  readonly path: string;
  /** Path before the change, if it is another one. */
  readonly oldPath?: string;
  readonly status: string;
  readonly added: number;
  readonly removed: number;
  /** Null if the forge returns no patch: for a binary or a very large file. */
  readonly patch: string | null;
}

export interface ForgeCommit extends Comment, Pick<Pull, "filesInAll" | "files"> {
  readonly sha: string;
}

export interface ForgeFile {
  readonly ref: string;
  readonly path: string;
  readonly host: string;
  /** Null for a binary file, or if the forge does not provide the content of a large one. */
  readonly text: string | null;
}

export interface Review extends Comment {
  /** `approved`, `changes requested`, `commented` … or `path:line`. */
  readonly on: string;
}

export interface Checks {
  readonly ref: string;
  readonly runs: readonly CheckRun[];
  /** Number of checks that were not read; null if there are some and the forge does not count them. */
  readonly left: number | null;
}

export interface CheckRun {
  /** A check that runs again has another id. */
  readonly id: string;
  readonly name: string;
  /** `success`, `failure`, `in progress` … */
  readonly state: string;
  readonly failed: boolean;
  readonly url: string | null;
  /** End of the output of a failed check; null if the forge does not provide it. */
  readonly log: string | null;
}
