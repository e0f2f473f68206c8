/** A week as the console API says it. */

import type { Digest, Topic } from "./digest.ts";

/** How the questions of a week went. */
export interface DigestBody extends Omit<Digest, "spent" | "spentEach" | "topics"> {
  readonly isOver: boolean;
  readonly spentUsd: number;
  /** For each question that was solved; null where none was. */
  readonly spentEachUsd: number | null;
  readonly topics: readonly (Omit<Topic, "repo"> & { readonly repo: string })[];
}
