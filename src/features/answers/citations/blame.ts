/** Finds the commit that changed cited lines: a binary search between two commits, for many citations together. */

import { type CitationCase, compareLines } from "./compare-lines.ts";
import type { KnownRenames } from "./renames.ts";
import type { ComparisonRepo } from "../../../ports/commits.ts";

interface BlameCase extends CitationCase {
  /** An earlier commit that still contained the lines. */
  readonly stood: string;
}

/** Histories in one script, and commits of each. */
const AT_ONCE = 20;
const MOST = 5_000;

/** Returns the commits in the given order. Only first parents count, so a merge represents all its commits. */
export const blame = async (
  repo: ComparisonRepo,
  changed: readonly BlameCase[],
  known: KnownRenames,
): Promise<readonly string[]> => {
  const told = await histories(repo, changed);
  const searches = changed.map((one) => {
    const history = told.get(`${one.stood} ${one.tip}`) ?? [];
    return { one, history, low: -1, high: history.length - 1 };
  });
  for (;;) {
    const open = searches.filter(({ low, high }) => high - low > 1);
    if (open.length === 0) break;
    const asked = await compareLines(
      repo,
      open.map((search) => ({
        span: search.one.span,
        tip: search.history[middle(search)] ?? search.one.tip,
      })),
      known,
    );
    for (const [index, search] of open.entries()) {
      if (asked[index]?.kind === "changed") search.high = middle(search);
      else search.low = middle(search);
    }
  }
  return searches.map(({ one, history, high }) => history[high] ?? one.tip);
};

const middle = ({ low, high }: { readonly low: number; readonly high: number }): number =>
  Math.floor((low + high) / 2);

const histories = async (
  repo: ComparisonRepo,
  changed: readonly BlameCase[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const wanted = [...new Set(changed.map(({ stood, tip }) => `${stood} ${tip}`))];
  const found = new Map<string, readonly string[]>();
  for (let first = 0; first < wanted.length; first += AT_ONCE) {
    const some = wanted.slice(first, first + AT_ONCE);
    const asked = await repo.ask(HISTORIES, some.map((two) => `${two}\n`).join(""));
    for (const [index, part] of asked.split("=\n").slice(1).entries())
      found.set(some[index] ?? "", part.split("\n").slice(0, -1));
  }
  return found;
};

/** A missing commit has an empty history. */
const HISTORIES = `while read -r stood tip; do
  echo =
  git rev-list --first-parent --reverse --max-count=${MOST} "$tip" "^$stood" 2> /dev/null || :
done`;
