/** The fake's search: words that must all stand in title or text, and the qualifiers that Parley uses. Pure. */

import type { FakeIssue, FakeRepo } from "./world.ts";

export interface Query {
  /** `owner/name`, in lower case; empty where the query names none. */
  readonly repos: readonly string[];
  readonly state: string | null;
  readonly words: readonly string[];
}

export const queryIn = (q: string): Query => {
  const terms = [...q.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => ({
    text: quoted ?? bare ?? "",
    isQuoted: quoted !== undefined,
  }));
  const valuesOf = (key: string): readonly string[] =>
    terms.flatMap(({ text, isQuoted }) =>
      !isQuoted && text.startsWith(`${key}:`) ? [text.slice(key.length + 1).toLowerCase()] : [],
    );
  return {
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
    .filter(({ issue }) => query.words.every((word) => textOf(issue).includes(word)))
    .toSorted((a, b) => inTitle(query, b.issue) - inTitle(query, a.issue));

const textOf = (issue: FakeIssue): string => `${issue.title}\n${issue.text}`.toLowerCase();

const inTitle = ({ words }: Query, { title }: FakeIssue): number =>
  words.filter((word) => title.toLowerCase().includes(word)).length;
