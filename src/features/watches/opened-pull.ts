import type { PostRow } from "../../ports/store.ts";
import type { PullOutcome } from "./store/watches.ts";
import { writeOf } from "../../thread/wording.ts";

/** `name`: such as `acme/shop#12`. */
export interface OpenedPull {
  readonly name: string;
  readonly number: number;
}

/**
 * The pull request with the number, or the repository's latest if the forge does not name one. Null if the conversation opened
 * none.
 */
export const openedIn = (
  posts: readonly PostRow[],
  { repo, pull }: Pick<PullOutcome, "repo" | "pull">,
): OpenedPull | null => {
  const path = repo.slice(repo.indexOf("/") + 1);
  const opened = posts.flatMap(({ post: { body } }) => {
    if (body.kind !== "question" || body.ask === undefined || body.decision === null) return [];
    const { ask, decision, wrote } = body;
    if (writeOf(ask, decision.choice) !== "open_pull_request" || wrote?.kind !== "done") return [];
    const own = Number(/\/(?:pull|merge_requests)\/(\d{1,9})$/.exec(wrote.url ?? "")?.[1]);
    return Number.isNaN(own) ? [] : [{ name: wrote.name, number: own }];
  });
  const isThere = ({ name }: OpenedPull): boolean => name.toLowerCase().replace(/[#!]\d+$/, "") === path;
  return opened.findLast((one) => isThere(one) && (pull === null || one.number === pull)) ?? null;
};
