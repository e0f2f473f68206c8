/** Questions of a week and their outcome. */

import type { Millis } from "../../machine/id.ts";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import type { MicroUsd } from "../../ports/money.ts";

/** One week, Monday to Sunday in UTC. Its texts are people's words, with possible secrets masked. */
export interface Digest {
  /** The Monday of the week: `2026-11-23`. */
  readonly week: string;
  readonly channels: number;
  readonly counts: Counts;
  readonly spent: MicroUsd;
  /** For each solved question; null if there was none. */
  readonly spentEach: MicroUsd | null;
  /** The most frequent topics first. */
  readonly topics: readonly Topic[];
  /** Questions without a topic. */
  readonly others: number;
  /** A few of the newest of each kind. */
  readonly unanswered: readonly string[];
  readonly disliked: readonly DislikedAnswer[];
  readonly stale: readonly string[];
  readonly cited: readonly { readonly what: string; readonly times: number }[];
}

export interface Counts {
  readonly questions: number;
  readonly answered: number;
  readonly unanswered: number;
  readonly up: number;
  readonly down: number;
  /** Questions that were asked again within a week after an answer to the same question. */
  readonly again: number;
  readonly stale: number;
  readonly solved: number;
}

export interface Topic {
  /** Hash of the repository and the shared word. */
  readonly key: string;
  /** The words that its questions share. */
  readonly name: string;
  readonly repo: RepositoryBinding;
  readonly questions: number;
  readonly unanswered: number;
  readonly down: number;
  readonly again: number;
  /** Questions whose answers cite code but no documentation. */
  readonly codeOnly: number;
  /** Whether these questions are so many that a page of documentation is missing. */
  readonly isMissed: boolean;
  /** A few of the newest questions. */
  readonly asked: readonly { readonly question: string; readonly at: Millis }[];
}

export interface DislikedAnswer {
  /** Null if it was erased. */
  readonly question: string | null;
  readonly reasons: readonly string[];
}
