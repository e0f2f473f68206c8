/** How the questions of a week went; declared on the caller's floor. */

import type { Millis } from "../../machine/id.ts";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import type { MicroUsd } from "../../ports/money.ts";

/** One week, Monday to Sunday in UTC. Words in it were written by people, with what looks like a secret masked. */
export interface Digest {
  /** Its Monday: `2026-11-23`. */
  readonly week: string;
  readonly channels: number;
  readonly counts: Counts;
  readonly spent: MicroUsd;
  /** For each question that was solved; null where none was. */
  readonly spentEach: MicroUsd | null;
  /** Those that were asked about most, first. */
  readonly topics: readonly Topic[];
  /** Questions in none of them. */
  readonly others: number;
  /** The newest of each, a few. */
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
  /** Asked although the same had been answered within a week. */
  readonly again: number;
  readonly stale: number;
  readonly solved: number;
}

export interface Topic {
  /** The same for the same words in the same repository. */
  readonly key: string;
  /** The words that its questions share. */
  readonly name: string;
  readonly repo: RepositoryBinding;
  readonly questions: number;
  readonly unanswered: number;
  readonly down: number;
  readonly again: number;
  /** Questions whose answers cite code and no documentation. */
  readonly codeOnly: number;
  /** They are so many that a page of documentation would have saved them. */
  readonly isMissed: boolean;
  /** The newest questions, a few. */
  readonly asked: readonly { readonly question: string; readonly at: Millis }[];
}

export interface DislikedAnswer {
  /** Null where it was taken back. */
  readonly question: string | null;
  readonly reasons: readonly string[];
}
