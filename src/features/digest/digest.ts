import type { Millis } from "../../machine/id.ts";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import type { MicroUsd } from "../../ports/money.ts";

/** One week, Monday to Sunday in UTC. People wrote the texts of a digest; possible secrets are masked. */
export interface Digest {
  /** The Monday of the week: `2026-11-23`. */
  readonly week: string;
  readonly channels: number;
  readonly counts: Counts;
  readonly spent: MicroUsd;
  /** For each solved question; null if the week has no solved question. */
  readonly spentEach: MicroUsd | null;
  /** The most frequent topics first. */
  readonly topics: readonly Topic[];
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
  /** Number of questions that a person asked again within a week after an answer to the same question. */
  readonly again: number;
  readonly stale: number;
  readonly solved: number;
}

export interface Topic {
  readonly key: string;
  /** Words that the topic's questions share. */
  readonly name: string;
  readonly repo: RepositoryBinding;
  readonly questions: number;
  readonly unanswered: number;
  readonly down: number;
  readonly again: number;
  /** Number of questions whose answers cite code but no documentation. */
  readonly codeOnly: number;
  /** Whether `codeOnly` is so high that a documentation page is missing. */
  readonly isMissed: boolean;
  readonly asked: readonly { readonly question: string; readonly at: Millis }[];
}

export interface DislikedAnswer {
  /** Null if the question was erased. */
  readonly question: string | null;
  readonly reasons: readonly string[];
}
