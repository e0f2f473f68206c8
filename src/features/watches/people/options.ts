/** Reads the options of `/parley watch people`, before the colon. Pure. */

import type { LocalizedText } from "../../../i18n/say.ts";
import type { PeopleSource } from "../store/watches.ts";
import { MOST_POSTS_PER_HOUR, USUAL_LOOK_BUDGET, USUAL_POSTS_PER_HOUR } from "./bounds.ts";
import { isTimeZone } from "./filter.ts";

type PeopleOptions =
  | { readonly kind: "source"; readonly source: PeopleSource }
  | { readonly kind: "unclear"; readonly why: LocalizedText };

const MOST_PATTERNS = 10;
const MOST_PATTERN = 100;

export const peopleOptions = (typed: string): PeopleOptions => {
  let source: PeopleSource = PLAIN;
  for (let words = wordsOf(typed); words.length > 0; ) {
    const [option = "", first = "", second = ""] = words;
    const read = READERS.get(option.toLowerCase())?.(source, first, second) ?? null;
    if (read === null) return unclear([option, first].join(" ").trim());
    source = read.source;
    words = words.slice(1 + read.words);
  }
  return { kind: "source", source };
};

const PLAIN: PeopleSource = {
  kind: "people",
  with: [],
  without: [],
  onlyQuestions: false,
  from: null,
  hours: null,
  incidents: null,
  notifyOwners: false,
  postsPerHour: USUAL_POSTS_PER_HOUR,
  lookBudget: USUAL_LOOK_BUDGET,
};

/** Returns the changed source and the number of words after the option; null if the words are invalid. */
type Reader = (
  source: PeopleSource,
  first: string,
  second: string,
) => { readonly source: PeopleSource; readonly words: number } | null;

const pattern =
  (key: "with" | "without"): Reader =>
  (source, first) =>
    isPattern(first) && source[key].length < MOST_PATTERNS
      ? { source: { ...source, [key]: [...source[key], first] }, words: 1 }
      : null;

const isPattern = (text: string): boolean => /[^*\s]/.test(text) && text.length <= MOST_PATTERN;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>(
  Object.entries<Reader>({
    with: pattern("with"),
    without: pattern("without"),
    only: (source, first) =>
      first.toLowerCase() === "questions" ? { source: { ...source, onlyQuestions: true }, words: 1 } : null,
    notify: (source, first) =>
      first.toLowerCase() === "owners" ? { source: { ...source, notifyOwners: true }, words: 1 } : null,
    from: (source, first) => {
      if (first.toLowerCase() === "everybody") return { source: { ...source, from: null }, words: 1 };
      const [, id] = /^(?:<!subteam\^|<@&|@)?([A-Z0-9]{6,25})(?:\|[^>]*)?>?$/.exec(first) ?? [];
      return id === undefined ? null : { source: { ...source, from: id }, words: 1 };
    },
    hours: (source, first, zone) => {
      const [, start = "", end = ""] = /^(\d{1,2})-(\d{1,2})$/.exec(first) ?? [];
      const [from, until] = [Number(start), Number(end)];
      return start !== "" && from < until && until <= 24 && isTimeZone(zone)
        ? { source: { ...source, hours: { from, until, zone } }, words: 2 }
        : null;
    },
    in: (source, first) => {
      const [, prefix] = /^#?([\p{L}\p{N}_-]{1,79})\*$/u.exec(first) ?? [];
      return prefix === undefined
        ? null
        : { source: { ...source, incidents: prefix.toLowerCase() }, words: 1 };
    },
    posts: (source, first) => {
      const count = /^\d{1,4}$/.test(first) ? Number(first) : 0;
      return count >= 1 && count <= MOST_POSTS_PER_HOUR
        ? { source: { ...source, postsPerHour: count }, words: 1 }
        : null;
    },
    looks: (source, first) => {
      if (first === "none") return { source: { ...source, lookBudget: null }, words: 1 };
      const [, amount] = /^\$?(\d{1,4}(?:\.\d{1,2})?)$/.exec(first) ?? [];
      return amount === undefined
        ? null
        : { source: { ...source, lookBudget: Math.round(Number(amount) * 1_000_000) }, words: 1 };
    },
  }),
);

/** A text in quotation marks is one word. */
const wordsOf = (typed: string): readonly string[] =>
  Array.from(
    typed.matchAll(/"([^"]*)"|“([^”]*)”|(\S+)/g),
    ([, straight, curly, word]) => straight ?? curly ?? word ?? "",
  );

const unclear = (option: string): PeopleOptions => ({
  kind: "unclear",
  why: (say) =>
    say(
      "I did not understand `{option}`. A watch of people accepts `with PATTERN`, `without PATTERN`, `only questions`, `from @role`, `hours 9-17 Europe/Berlin`, `in #inc-*`, `posts 60`, `looks 1.00` and `notify owners`.",
      { option: option.replaceAll("`", "'").slice(0, 60) },
    ),
});
