/** Draft pull requests of what people have seen in a draft (D42). No member throws or rejects. */

import type { DraftResult } from "../thread/draft.ts";
import type { Repo } from "./conversation.ts";
import type { ForgeResult } from "./forge.ts";
import type { ApprovedWrite, ToolRun } from "./tools.ts";

export interface DraftPulls {
  /** The project of a repository; `none`, with the reason, if no pull request can be opened there. */
  at(repo: Repo): PullProject | { readonly kind: "none"; readonly why: string };
}

interface PullProject {
  readonly kind: "project";
  readonly name: string;
  /** Goes on from the commit that an earlier process made: what it compared before that holds. Null if none had come so far. */
  resume(pull: ApprovedPull): Promise<ForgeResult<MergedPull | null>>;
  /** After `resume` has found nothing. */
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
