import { isDeepStrictEqual } from "node:util";
import type { CitedLines, Commits, ComparisonRepo, LineComparison } from "../../../ports/commits.ts";
import type { CitationChange } from "../../../text/citation.ts";
import { blame } from "./blame.ts";
import { compareLines, type Verdict } from "./compare-lines.ts";
import type { KnownRenames } from "./renames.ts";

export interface CitationTracker extends LineComparison, Pick<Commits, "tip"> {}

export const createCitationTracker = (commits: Commits): CitationTracker => {
  const known: KnownRenames = new Map();
  return {
    tip: commits.tip,
    compare: (tip, cited, signal) =>
      commits.within(tip, signal, (repo) => compare(repo, tip.commit, cited, known)),
  };
};

const compare = async (
  repo: ComparisonRepo,
  tip: string,
  cited: readonly CitedLines[],
  known: KnownRenames,
): Promise<readonly (CitationChange | null | "unknown")[]> => {
  const verdicts = await compareLines(
    repo,
    cited.map((span) => ({ span, tip })),
    known,
  );
  const isNew = ({ now }: CitedLines, index: number): boolean =>
    verdicts[index]?.kind === "changed" && now?.kind !== "changed";
  const changed = cited.filter(isNew);
  const blamed = await blame(
    repo,
    changed.map((span) => ({ span, tip, stood: span.stood })),
    known,
  );
  const commits = new Map(changed.map((one, index) => [one, blamed[index] ?? tip]));
  return cited.map((one, index) => sinceOf(one, verdicts[index], commits.get(one) ?? null, tip));
};

/** A known change stays as it was reported, because a later commit confirms it. */
const sinceOf = (
  { file, from, to, now }: CitedLines,
  verdict: Verdict | undefined,
  changedIn: string | null,
  tip: string,
): CitationChange | null | "unknown" => {
  switch (verdict?.kind) {
    case "changed":
      return now?.kind === "changed" ? now : { kind: "changed", commit: changedIn };
    case "stands": {
      const { kind: _, ...place } = verdict;
      if (isDeepStrictEqual(place, { file, from, to })) return null;
      const moved = { kind: "moved", ...place, commit: tip } as const;
      const isTold = now?.kind === "moved" && isDeepStrictEqual({ ...now, commit: tip }, moved);
      return isTold ? now : moved;
    }
    case "unknown":
    case undefined:
      return "unknown";
  }
};
