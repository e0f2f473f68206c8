/** A week in the console API. */

import type { Digest, Topic } from "./digest.ts";

export interface DigestBody extends Omit<Digest, "spent" | "spentEach" | "topics"> {
  readonly isOver: boolean;
  readonly spentUsd: number;
  /** For each solved question; null if the week has no solved question. */
  readonly spentEachUsd: number | null;
  readonly topics: readonly (Omit<Topic, "repo"> & { readonly repo: string })[];
}
