/**
 * The normal form of a question: what it says, each once, without the way in which it is asked. What stands beside the question, as
 * "I use Docker.", is kept apart: it may help and does not have to agree. Pure and linear.
 */

import { meaningOf, stemOf, type Weight, weightOf, wordsOf } from "./meaning.ts";
import { withoutPhrases } from "./vocabulary.ts";

export interface QuestionForm {
  /** What it is about. */
  readonly topic: ReadonlySet<string>;
  readonly common: ReadonlySet<string>;
  readonly light: ReadonlySet<string>;
  /** What is done and on what condition. */
  readonly strict: ReadonlySet<string>;
  /** Numbers, versions, paths, flags and names with signs in them. */
  readonly exact: ReadonlySet<string>;
  /** What is told beside what is asked. */
  readonly beside: ReadonlySet<string>;
  /** Something does not work; null where it is only told, and not asked. */
  readonly fails: boolean | null;
  readonly isNegated: boolean;
  /** It is about one thing alone. */
  readonly isNarrow: boolean;
  /** The last thing behind "to" or "into". */
  readonly target: string | null;
  /** All words, and any two neighbours as one word. */
  readonly stems: ReadonlySet<string>;
  readonly initials: string;
  readonly words: readonly string[];
}

/** Characters of a question; what is longer is told, not asked. */
export const LONGEST_QUESTION = 600;

/**
 * True if a message is one question and nothing else: one sentence, short, on one line, with nothing told beside what is asked.
 * An answer to more than that holds what its asker put beside the question.
 */
export const isOnlyQuestion = (message: string): boolean => {
  const text = message.trim();
  if (message.length >= LONGEST_QUESTION || /[\r\n\u0085\u2028\u2029]/.test(text)) return false;
  const sentences = text.split(/[.!?。！？]+(?=\s|$)|[。！？]+/u).filter((one) => /[\p{L}\p{N}]/u.test(one));
  return sentences.length === 1 && formOf(text).beside.size === 0;
};

/** `names`: what everybody here knows it is about, as the project's name. */
export const formOf = (question: string, names: readonly string[] = []): QuestionForm => {
  const known = new Set(
    names.flatMap((name) => [name.toLowerCase(), ...wordsOf(name.toLowerCase()).map(stemOf)]),
  );
  const { exact, rest } = splitExact(question.slice(0, LONGEST_QUESTION).replaceAll(/\s+/g, " "));
  const told = withoutPhrases(rest);
  const clauses = told.split(/[.;:!?,]+(?:\s|$)|\s[-–—(]/).filter((clause) => clause.trim() !== "");
  const read = clauses.map((clause) => ({ clause, ...readClause(clause, known) }));
  const asking = read.filter(({ clause }) => MAY_ASK.test(clause));
  const main = asking.some(tellsEnough) ? asking : read;
  const beside = read.filter((one) => !main.includes(one));
  const gathered = (weight: Weight, clauses = main): ReadonlySet<string> =>
    new Set(
      clauses.flatMap(({ said }) => said.flatMap((one) => (one.weight === weight ? [one.meaning] : []))),
    );
  const strict = new Set(gathered("strict"));
  for (const one of gathered("strict", beside)) if (EVERYWHERE.has(one)) strict.add(one);
  const isNegated = main.some((one) => one.isNegated);
  const complains = read.some((one) => one.isNegated && !ASKS.test(one.clause));
  const fails = strict.delete(FAIL) || complains || (isNegated && /\bwhy\b/.test(told));
  const words = wordsOf(told);
  return {
    topic: gathered("topic"),
    common: gathered("common"),
    light: gathered("light"),
    strict,
    exact: new Set(exact.filter((name) => !known.has(name))),
    beside: new Set(beside.flatMap(({ said }) => said.map(({ meaning }) => meaning))),
    fails: fails || question.includes("?") || INTENDS.test(told) ? fails : null,
    isNegated,
    isNarrow: /\b(?:only|just|single|specific|certain|particular|one)\b/.test(told),
    target: read.find(({ target }) => target !== null)?.target ?? null,
    stems: new Set([
      ...words.map(stemOf),
      ...words.slice(1).map((word, index) => stemOf(`${words[index]}${word}`)),
    ]),
    initials: words.map((word) => word[0]).join(""),
    words: question.toLowerCase().match(/\S+/g) ?? [],
  };
};

/** What an answer speaks of: what a question asks beyond another one may be in it. */
export const termsIn = (answer: string): ReadonlySet<string> => {
  const { exact, rest } = splitExact(answer.slice(0, LONGEST_ANSWER).replaceAll(/\s+/g, " "));
  const words = [
    ...wordsOf(withoutPhrases(rest)),
    ...exact.flatMap((name) => [...wordsOf(name.replaceAll("_", " "))]),
  ];
  return new Set([...exact, ...words.map(meaningOf)]);
};

const LONGEST_ANSWER = 6_000;

interface Said {
  readonly meaning: string;
  readonly weight: Weight;
}

interface Clause {
  readonly said: readonly Said[];
  readonly isNegated: boolean;
  readonly target: string | null;
}

const readClause = (clause: string, known: ReadonlySet<string>): Clause => {
  const words = wordsOf(clause);
  const said = words.flatMap((word): readonly Said[] => {
    const meaning = meaningOf(word);
    const weight = weightOf(word, meaning);
    if (weight === "filler" || NEGATIONS.has(word)) return [];
    return [{ meaning, weight: weight === "topic" && known.has(stemOf(word)) ? "light" : weight }];
  });
  const to = words.findLastIndex(
    (word, index) => (word === "to" || word === "into") && isNamed(words[index + 1]),
  );
  const target = to === -1 ? null : meaningOf(words[to + 1] ?? "");
  return { said, isNegated: words.some((word) => NEGATIONS.has(word)), target };
};

const isNamed = (word = ""): boolean => word !== "" && weightOf(word, meaningOf(word)) !== "filler";

const tellsEnough = ({ said }: Clause): boolean =>
  said.some(({ weight }) => weight === "topic") ||
  said.filter(({ weight, meaning }) => weight === "common" || (weight === "strict" && meaning !== FAIL))
    .length > 0;

/** Words with a digit or a sign that no plain word has, and what stands in code's marks, each apart from the rest. */
const splitExact = (text: string): { readonly exact: readonly string[]; readonly rest: string } => {
  const exact: string[] = [];
  const rest = text.split(/(`[^`\n]{1,200}`|\s+)/).map((token) => {
    const { bare, end } = trimmed(token);
    const name = bare.replace(/^v(?=\d)/i, "").toLowerCase();
    const measured = /^(\d+(?:\.\d+)*)([a-z]{1,5})$/.exec(name);
    if (measured !== null) {
      exact.push(measured[1] ?? "");
      return ` ${measured[2]}${end}`;
    }
    if (!isExact(token, bare)) return token.toLowerCase().replaceAll("’", "'");
    exact.push(name);
    return end;
  });
  return { exact, rest: rest.join("") };
};

/** A longer one is no word. */
const LONGEST_WORD = 200;

/** Without quotes, brackets and what ends a sentence. */
const trimmed = (token: string): { readonly bare: string; readonly end: string } => {
  if (token.length > LONGEST_WORD) return { bare: "", end: "" };
  let from = 0;
  let to = token.length;
  while (from < to && "(\"'`*".includes(token.charAt(from))) from += 1;
  while (to > from && ")\"'`*.,;:!?".includes(token.charAt(to - 1))) to -= 1;
  return { bare: token.slice(from, to), end: token.slice(to) };
};

const isExact = (token: string, bare: string): boolean =>
  (token.startsWith("`") && bare !== "" && !/^[a-z]+$/i.test(bare)) ||
  /[_\\\d]|.@|@\W|\w\.\w|^--?[a-z]|^[./~]+\w|\/[^/]*\/|\w[#+]+$/i.test(bare);

/** What somebody wants to know, what may be a question, and what a question begins with. */
const INTENDS = /\b(?:how|what|which|where|can|way|want|like to)\b/;
const MAY_ASK =
  /\b(?:how|what|what's|which|where|why|can|is|are|does|do|should|need|want|like to|any|possible|way)\b/;
const ASKS =
  /^\s*(?:and |but |so |or )?(?:how|what|which|where|when|why|who|can|could|is|are|does|do|did|should|has|have|will|would|any)\b|\b(?:how|what's|which|where do|can i|is there|is it possible|want|need|like to|way)\b/;

const FAIL = meaningOf("fail");

/** They count wherever they stand. */
const EVERYWHERE: ReadonlySet<string> = new Set(
  ["fail", "android", "ios", "linux", "macos", "windows", "production", "dev"].map(meaningOf),
);

const NEGATIONS: ReadonlySet<string> = new Set(
  `not no none never without nothing nobody neither nor cannot don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't
  couldn't shouldn't haven't hasn't dont doesnt didnt isnt cant`.split(/\s+/),
);
