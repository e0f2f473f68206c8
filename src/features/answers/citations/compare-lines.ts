/**
 * Decides whether lines of one commit exist unchanged in another, according to `git diff`: in the same file, or in the file
 * that git considers its new name. For any number of cases, git runs only a few times.
 */

import { type Hunk, readHunks, shiftOf } from "./hunks.ts";
import { type KnownRenames, renames } from "./renames.ts";
import type { ComparisonRepo } from "../../../ports/commits.ts";

interface Span {
  readonly commit: string;
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** Blob of the file, in case the commit disappears; null if unknown. */
  readonly blob: string | null;
}

export interface CitationCase {
  readonly span: Span;
  readonly tip: string;
}

export type Verdict =
  | { readonly kind: "stands"; readonly file: string; readonly from: number; readonly to: number }
  | { readonly kind: "changed" }
  /** Required objects are missing. */
  | { readonly kind: "unknown" };

/** Pairs of files in one git comparison. */
const AT_ONCE = 1_000;

export const compareLines = async (
  repo: ComparisonRepo,
  cases: readonly CitationCase[],
  known: KnownRenames,
): Promise<readonly Verdict[]> => {
  if (cases.length === 0) return [];
  const named = await resolve(repo, cases.flatMap(namesOf));
  const at = (name: string | null, type: string): string | null => {
    const found = name === null ? undefined : named.get(name);
    return found?.type === type ? found.id : null;
  };
  const blobIn = (commit: string, file: string): string | null => at(`${commit}:${file}`, "blob");
  const lost = cases.flatMap(({ span, tip }) => {
    const trees = [at(treeOf(span.commit), "tree"), at(treeOf(tip), "tree")];
    return blobIn(tip, span.file) === null && !trees.includes(null) ? [trees.join(" ")] : [];
  });
  const renamed = await renames(repo, [...new Set(lost)], known);

  const held = cases.map(({ span, tip }): Held | "changed" | "unknown" => {
    const tree = at(treeOf(tip), "tree");
    const before = blobIn(span.commit, span.file) ?? at(span.blob, "blob");
    if (tree === null || before === null) return "unknown";
    const after = blobIn(tip, span.file);
    if (after !== null) return { file: span.file, before, after };
    const to = renamed.get(`${at(treeOf(span.commit), "tree") ?? ""} ${tree}`)?.get(span.file);
    return to === undefined ? "changed" : { ...to, before };
  });
  const compared = await differences(repo, held);
  return cases.map(({ span: { from, to } }, index): Verdict => {
    const one = held[index] ?? "unknown";
    if (typeof one === "string") return { kind: one };
    const shift = shiftOf(compared.get(pairOf(one)) ?? [], from, to);
    return shift === null
      ? { kind: "changed" }
      : { kind: "stands", file: one.file, from: from + shift, to: to + shift };
  });
};

/** Path of a cited file at the tip, with the file's blob ids at the cited commit and at the tip. */
interface Held {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const treeOf = (commit: string): string => `${commit}^{tree}`;
const pairOf = ({ before, after }: Pick<Held, "before" | "after">): string => `${before} ${after}`;

const namesOf = ({ span, tip }: CitationCase): readonly string[] => [
  treeOf(span.commit),
  treeOf(tip),
  `${span.commit}:${span.file}`,
  `${tip}:${span.file}`,
  ...(span.blob === null ? [] : [span.blob]),
];

interface Named {
  readonly id: string;
  readonly type: string;
}

/** Resolves object names; missing objects are left out. */
const resolve = async (repo: ComparisonRepo, all: readonly string[]): Promise<ReadonlyMap<string, Named>> => {
  const names = [...new Set(all)];
  const lines = (await repo.ask(RESOLVE, names.map((name) => `${name}\n`).join(""))).split("\n");
  return new Map(
    names.flatMap((name, index): readonly (readonly [string, Named])[] => {
      const [, id, type] = /^([0-9a-f]{40,64}) (\w+)$/.exec(lines[index] ?? "") ?? [];
      return id === undefined || type === undefined ? [] : [[name, { id, type }]];
    }),
  );
};

const RESOLVE = "git cat-file --batch-check='%(objectname) %(objecttype)'";

/** Compares all pairs at once: one tree holds all earlier contents, another all later ones. */
const differences = async (
  repo: ComparisonRepo,
  held: readonly (Held | string)[],
): Promise<ReadonlyMap<string, readonly Hunk[]>> => {
  const pairs = [
    ...new Map(
      held.flatMap((one) =>
        typeof one === "string" || one.before === one.after ? [] : [[pairOf(one), one] as const],
      ),
    ).values(),
  ];
  const found = new Map<string, readonly Hunk[]>();
  for (let first = 0; first < pairs.length; first += AT_ONCE) {
    const some = pairs.slice(first, first + AT_ONCE);
    const tree = (side: "before" | "after"): string =>
      some.map((pair, index) => `100644 blob ${pair[side]}\t${index}\n`).join("");
    const asked = await repo.ask(DIFFERENCES, `${tree("before")}\n${tree("after")}\n`);
    for (const [index, hunks] of readHunks(asked)) {
      const pair = some[index];
      if (pair !== undefined) found.set(pairOf(pair), hunks);
    }
  }
  return found;
};

const DIFFERENCES = String.raw`set -- $(git mktree --batch)
git diff-tree -r -p -U0 --text --no-renames --no-ext-diff --no-textconv "$1" "$2" |
  sed -n 's/^\(@@ -[0-9,]* +[0-9,]* @@\).*/\1/p; /^diff --git /p'`;
