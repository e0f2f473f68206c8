import type { FirstLook, LookCorrection } from "./store/first-looks.ts";

export interface ListedLook extends Omit<FirstLook, "cost" | "author" | "surface" | "watch"> {
  readonly costUsd: number;
  readonly correction: string | null;
}

export interface ListedLooks {
  readonly looks: readonly ListedLook[];
  readonly corrections: readonly Pick<LookCorrection, "id" | "text" | "decided" | "correct" | "by" | "at">[];
}
