/** Says who owns cited code: CODEOWNERS, otherwise the last people who changed the lines. Names only; nobody is notified here. */

import type { Commits, ComparisonRepo } from "../../../ports/commits.ts";
import type { Repo } from "../../../ports/conversation.ts";
import type { Millis } from "../../../machine/id.ts";
import type { Citation } from "../../../text/citation.ts";
import { ownersOf, parseCodeOwners } from "../../../text/code-owners.ts";

export interface CodePlace {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

export interface CodePeople extends CodePlace {
  /** Owners as in CODEOWNERS; empty if the file names none. */
  readonly owners: readonly string[];
  /** Names of the last people who changed the lines, the newest first; empty if there are owners. */
  readonly changers: readonly string[];
}

const MOST_PLACES = 5;
const MOST_CHANGERS = 3;
/** Comparison steps of CODEOWNERS. */
const WORK = 3_000_000;

/** The found lines of an answer, each file once. */
export const placesIn = (citations: readonly Citation[]): readonly CodePlace[] => {
  const found = new Map<string, CodePlace>();
  for (const { status, file, from, to } of citations)
    if (status === "found" && file !== null && from > 0 && !found.has(file))
      found.set(file, { file, from, to });
  return [...found.values()].slice(0, MOST_PLACES);
};

/** Empty if the repository cannot be read. */
export const codePeopleOf = async (
  commits: Pick<Commits, "tip" | "within">,
  repo: Repo,
  places: readonly CodePlace[],
  since: Millis,
  signal: AbortSignal,
): Promise<readonly CodePeople[]> => {
  if (places.length === 0) return [];
  const found = await commits.tip(repo, since, signal);
  if (found.kind === "failed") return [];
  const { tip } = found;
  const done = await commits.within(tip, signal, (git) => readPeople(git, tip.commit, places));
  return done.kind === "done" ? done.value : [];
};

const readPeople = async (
  git: ComparisonRepo,
  commit: string,
  places: readonly CodePlace[],
): Promise<readonly CodePeople[]> => {
  const owned = ownersIn(await git.ask(CODE_OWNERS, `${commit}\n`), places);
  const open = places.filter(({ file }) => (owned.get(file) ?? []).length === 0);
  const lines = open.map(({ file, from, to }) => `${commit}\t${from},${to}\t${file}\n`);
  const blamed = open.length === 0 ? [] : changersIn(await git.ask(CHANGERS, lines.join("")));
  return places.map((place) => ({
    ...place,
    owners: owned.get(place.file) ?? [],
    changers: blamed[open.indexOf(place)] ?? [],
  }));
};

/** `text`: content of CODEOWNERS. */
export const ownersIn = (
  text: string,
  places: readonly Pick<CodePlace, "file">[],
): ReadonlyMap<string, readonly string[]> => {
  const rules = parseCodeOwners(text);
  const work = { left: WORK };
  return new Map(places.map(({ file }) => [file, [...new Set((ownersOf(rules, file, work) ?? []).flat())]]));
};

/** Parses `TIME<tab>NAME` lines, after `=` for each place. Programs such as `dependabot[bot]` are no people. */
export const changersIn = (text: string): readonly (readonly string[])[] =>
  text
    .split("=\n")
    .slice(1)
    .map((part) => {
      const newest = new Map<string, number>();
      for (const line of part.split("\n")) {
        const [, time = "", name = ""] = /^(\d+)\t(.+)$/.exec(line) ?? [];
        if (name === "" || name.endsWith("[bot]")) continue;
        newest.set(name, Math.max(newest.get(name) ?? 0, Number(time)));
      }
      return [...newest]
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, MOST_CHANGERS)
        .map(([name]) => name);
    });

/** A link does not count. */
const CODE_OWNERS = String.raw`read -r commit
for file in .github/CODEOWNERS CODEOWNERS docs/CODEOWNERS .gitlab/CODEOWNERS; do
  case "$(git ls-tree "$commit" -- "$file")" in
    100*) git cat-file blob "$commit:$file" | head -c 1000000; break ;;
  esac
done`;

const CHANGERS = String.raw`tab="$(printf '\t')"
while IFS="$tab" read -r commit lines file; do
  echo =
  git blame --line-porcelain -L "$lines" "$commit" -- "$file" 2> /dev/null |
    awk '/^author /{name=substr($0, 8)} /^author-time /{print $2 "\t" name}'
done`;
