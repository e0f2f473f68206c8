/** Draft pull requests made from an approved draft (D42). No member throws or rejects. */

import type { DraftResult } from "../thread/draft.ts";
import type { Repo } from "./conversation.ts";
import type { ForgeResult } from "./forge.ts";
import type { ApprovedWrite, ToolRun } from "./tools.ts";

export interface DraftPulls {
  /** `none` if no pull request can be opened there. */
  at(repo: Repo): PullProject | { readonly kind: "none"; readonly why: string };
}

interface PullProject {
  readonly kind: "project";
  readonly name: string;
  /** The line of the card about the name in which the pull request will appear; null if there is only one. */
  named(run: ToolRun, signal: AbortSignal): Promise<{ readonly name: string; readonly value: string } | null>;
  /** Continues from a commit that an earlier process made and compared; null if no process had reached that point. */
  resume(pull: ApprovedPull): Promise<ForgeResult<MergedPull | null>>;
  /** Opens the pull request, after `resume` returned null. */
  open(pull: ApprovedPull): Promise<ForgeResult<MergedPull>>;
}

export interface ApprovedPull {
  readonly run: ToolRun;
  readonly errand: ApprovedWrite;
  readonly title: string;
  readonly body: string;
  readonly commits: DraftResult["commits"];
  readonly signal: AbortSignal;
}

/** `name` as in `acme/shop#12`. */
export interface MergedPull {
  readonly name: string;
  readonly url: string;
}
