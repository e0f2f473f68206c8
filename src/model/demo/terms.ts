/** From a question to what to search for. Pure, and small enough to be read: there is no AI in it. */

import { literal } from "./shell.ts";

export interface Terms {
  /** Stems that the question itself names, most telling first. */
  readonly asked: readonly string[];
  /** Stems that code often uses for the same thing. */
  readonly related: readonly string[];
  /** What to give to keyword_search: regular expressions. */
  readonly search: readonly string[];
}

export const termsOf = (question: string): Terms => {
  const exact = [...question.matchAll(/[`"“”']([^`"“”'\n]{2,60})[`"“”']/g)].map(([, inner = ""]) =>
    inner.trim(),
  );
  const words = (question.match(/[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*/gu) ?? []).map((word) =>
    word.replace(/[./-]+$/, ""),
  );
  const telling = words.filter((word) => word.length > 2 && !STOP.has(word.toLowerCase()));
  const asked = unique([...exact, ...telling].map(stem)).slice(0, MOST);
  const related = unique(asked.flatMap((word) => RELATED.get(word) ?? [])).filter(
    (word) => !asked.includes(word),
  );
  return { asked, related, search: searchTerms(telling, asked, related) };
};

const MOST = 5;
const MOST_SEARCHED = 8;

/** Neighbours in the question often are one name in the code: `retry policy` is `retryPolicy` or `retry_policy`. */
const searchTerms = (
  telling: readonly string[],
  asked: readonly string[],
  related: readonly string[],
): readonly string[] => {
  const pairs = telling
    .slice(0, -1)
    .map((word, index) => `${literal(stem(word))}\\w{0,3}[ _-]?${literal(stem(telling[index + 1] ?? ""))}`);
  return unique([...pairs.slice(0, 2), ...[...asked, ...related].map(literal)]).slice(0, MOST_SEARCHED);
};

/** Cuts what English appends. Names with a capital inside, a dot or an underscore are left as they are. */
const stem = (word: string): string => {
  if (/[a-z][A-Z]|[^\p{L}]/u.test(word)) return word;
  const lower = word.toLowerCase();
  for (const [ending, instead] of ENDINGS) {
    if (!lower.endsWith(ending) || lower.length - ending.length < 3) continue;
    const cut = lower.slice(0, -ending.length) + instead;
    return instead === "" ? cut.replace(/([bdgmnprt])\1$/, "$1") : cut;
  }
  return lower;
};

const ENDINGS: readonly (readonly [string, string])[] = [
  ["ications", "icat"],
  ["ication", "icat"],
  ["ations", "at"],
  ["ation", "at"],
  ["ries", "ry"],
  ["ried", "ry"],
  ["ying", "y"],
  ["ings", ""],
  ["ing", ""],
  ["ches", "ch"],
  ["sses", "ss"],
  ["ies", "y"],
  ["ss", "ss"],
  ["us", "us"],
  ["es", "e"],
  ["ed", ""],
  ["s", ""],
];

const unique = (words: readonly string[]): readonly string[] =>
  [...new Set(words)].filter((word) => word !== "");

const RELATED: ReadonlyMap<string, readonly string[]> = new Map([
  ["retry", ["attempt", "backoff", "retryable"]],
  ["login", ["auth", "session", "token"]],
  ["authenticat", ["auth", "token", "login"]],
  ["permission", ["allow", "approve", "grant"]],
  ["approv", ["decide", "permission", "grant"]],
  ["sandbox", ["landlock", "seccomp", "restrict"]],
  ["config", ["setting", "environ", "option"]],
  ["configur", ["config", "setting", "environ"]],
  ["database", ["sqlite", "store", "migrat"]],
  ["stor", ["store", "persist", "sqlite"]],
  ["error", ["failure", "exception"]],
  ["timeout", ["deadline", "expire"]],
  ["cancel", ["abort", "stop", "signal"]],
  ["start", ["main", "boot", "init"]],
  ["test", ["spec", "expect"]],
  ["delet", ["remove", "unlink"]],
  ["rout", ["router", "handler", "endpoint"]],
  ["api", ["endpoint", "route", "handler"]],
  ["cach", ["cache", "memo"]],
  ["log", ["logger", "trace"]],
]);

const STOP: ReadonlySet<string> = new Set(
  `a about all also an and any are as at be been before being between both but by can could did do does doing done
  each explain file files find for from function functions get gets give go goes had handle handled handles happen
  happens has have he her here how i if implement implementation implemented implements in into is it its just know
  let like list locate located look looks made make makes many me mean means my need no not of on one only or our
  out over part please program project repo repository see she should show so some tell than that the their them
  then there these they thing things this those through to up us use used uses using very want was we what when
  where which while who why will with work works would you your code codebase class classes defined define
  definition place exactly kind describe summarize summary overview readme main set sets run runs purpose policy logic
  das den der die ein eine ist sind wie was wer wo warum welche welcher wird und im mit von zu funktioniert`.split(
    /\s+/,
  ),
);
