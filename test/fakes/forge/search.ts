/** The fake's search: words that must all stand in title or text, and the qualifiers that Parley uses. Pure. */

import type { FakeIssue, FakeRepo } from "./world.ts";

export interface Query {
  /** `owner/name`, in lower case; empty where the query names none. */
  readonly repos: readonly string[];
  readonly state: string | null;
  readonly words: readonly string[];
  /** One of these must be there; empty where the query has no group with OR. */
  readonly any: readonly string[];
  /** Qualifiers `is:issue` and `in:title`. */
  readonly isIssue: boolean;
  readonly inTitle: boolean;
}

export const queryIn = (asked: string): Query => {
  const groups = [...asked.matchAll(/\(([^()]*)\)/g)].map(([, inner = ""]) => inner);
  const q = asked.replaceAll(/\([^()]*\)/g, " ");
  const terms = [...q.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => ({
    text: quoted ?? bare ?? "",
    isQuoted: quoted !== undefined,
  }));
  const valuesOf = (key: string): readonly string[] =>
    terms.flatMap(({ text, isQuoted }) =>
      !isQuoted && text.startsWith(`${key}:`) ? [text.slice(key.length + 1).toLowerCase()] : [],
    );
  return {
    any: groups.flatMap((inner) => inner.split(" OR ").map((word) => word.replaceAll('"', "").toLowerCase())),
    isIssue: valuesOf("is").includes("issue"),
    inTitle: valuesOf("in").includes("title"),
    repos: valuesOf("repo"),
    state: valuesOf("state")[0] ?? null,
    words: terms
      .filter(({ text, isQuoted }) => isQuoted || !text.includes(":"))
      .map(({ text }) => text.toLowerCase()),
  };
};

/** Those with more of the words in their title first. */
export const searched = (
  query: Query,
  repos: readonly FakeRepo[],
): readonly { readonly repo: FakeRepo; readonly issue: FakeIssue }[] =>
  repos
    .filter(({ owner, name }) => query.repos.includes(`${owner}/${name}`.toLowerCase()))
    .flatMap((repo) => repo.issues.map((issue) => ({ repo, issue })))
    .filter(({ issue }) => query.state === null || issue.state === query.state)
    .filter(({ issue }) => !query.isIssue || issue.pull === null)
    .filter(({ issue }) => {
      const text = query.inTitle ? issue.title.toLowerCase() : textOf(issue);
      const isAny = query.any.length === 0 || query.any.some((word) => text.includes(word));
      return isAny && query.words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => inTitle(query, b.issue) - inTitle(query, a.issue));

const textOf = (issue: FakeIssue): string => `${issue.title}\n${issue.text}`.toLowerCase();

const inTitle = ({ words, any }: Query, { title }: FakeIssue): number =>
  [...words, ...any].filter((word) => title.toLowerCase().includes(word)).length;
