/** A week as the console API says it. */

import type { Digest, Topic } from "../../../src/ports/digest/digest.ts";

export interface DigestBody extends Omit<Digest, "spent" | "spentEach" | "topics"> {
  readonly isOver: boolean;
  readonly spentUsd: number;
  readonly spentEachUsd: number | null;
  readonly topics: readonly (Omit<Topic, "repo"> & { readonly repo: string })[];
}
