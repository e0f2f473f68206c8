/**
 * Patterns of sentences that probably need a second reading. A pattern has no judgment: the shares of all comments, pages and UI
 * sentences show a trend, and `npm run language` fails if a share rises.
 */

/** `strong`: one match counts a sentence. `weak`: two different weak matches count it. */
interface Rule {
  readonly name: string;
  readonly strength: "strong" | "weak";
  readonly matches: (sentence: string) => boolean;
}

/** Names of the rules that match, each once. */
export const marksOf = (sentence: string): readonly string[] => [
  ...new Set(RULES.filter(({ matches }) => matches(sentence)).map(({ name }) => name)),
];

export const needsSecondReading = (sentence: string): boolean => {
  const hits = RULES.filter(({ matches }) => matches(sentence));
  const weak = new Set(hits.filter(({ strength }) => strength === "weak").map(({ name }) => name));
  return hits.some(({ strength }) => strength === "strong") || weak.size >= 2;
};

/** Words that stand for a noun. */
const RELATIVE =
  "(?:what|whatever|whoever|whom|whomever|whichever|all that|those (?:who|whom|that|which|of)|that which|the one (?:that|which|whose|of)|the ones (?:that|which))";
const BEFORE_RELATIVE =
  "of|from|by|in|with|to|for|beside|behind|after|below|above|on|as|is|are|into|than|until|before|beyond|over|without|against|at|takes?|keeps?|makes?|has|have|hands?|gives?|names|writes?|reads?|puts?|holds?|leaves?|does|reaches";

/** Indirect questions such as `says what is missing`. */
const INDIRECT =
  /\b(?:say|says|said|ask|asks|asked|know|knows|known|show|shows|see|sees|decide|decides|tell|tells|told|choose|chooses|compare|compares|explain|explains|and|or)\s+what\b/gi;
const withoutIndirect = (sentence: string): string => sentence.replaceAll(INDIRECT, " ");

const STARTS_RELATIVE = new RegExp(String.raw`^(?:\`[^\`]*\`[:,]?\s*)?${RELATIVE}\b`, "i");
const INNER_RELATIVE = new RegExp(String.raw`\b(?:${BEFORE_RELATIVE})\s+${RELATIVE}\b`, "i");
const CLAUSE_RELATIVE =
  /(?:[;:,] |\band )(?:what|whoever|who) (?!to\b)\w+(?: \w+){0,4} (?:is|are|was|were|has|have|may|can|stays?|goes|comes?)\b/i;

const FRONTED =
  /^(?:Of|By|Behind|Beside|From|To|Into|Below|Above|Before|After|With|Without|Against|Out of|In place of) [^,:;.]*[.;:]?$/;
const PARTICIPLE_FIRST =
  /^(?:Looked|Read|Told|Shown|Kept|Not \w+|English|Behind|Below) (?:at )?(?:is|are|remains?|stands?)\b/;
const PRONOUN_FIRST =
  /^(?:The same|It|Its|They|One|Those|These|That|This|Others|Another|Each|Both|Several|Some|All of (?:it|them))\b/;
const COPULA = /^(?:It|This|That) (?:is|means|was) /;
const CLAUSES =
  /\b(?:that|which|where|who|whom|whose|what|whatever|whoever|when|while|as long as|because|until|whether|than|unless|if)\b/gi;
const VERB = / (?:is|are|was|has|may|can|does|do|will|takes|makes|names|holds|counts|begins|ends)\b/;
const WHERE_IF =
  /\bwhere (?:there|nobody|nothing|it|that|no|none|a|an|the|they|something|somebody|people|several|one|each|both|this|its|PARLEY\w*)\b/i;
const PLAIN_WORD =
  /\b(?:told|tells?|hears?|heard|stands?|stood|goes along|goes on|comes to|came to|come about|is had|be had|looked at|looks at|put before|lets? go|stays?|lent|gives? way|at hand|a word|words of others|in sight|brought up|taken back|holds? up)\b/i;
const NO_ROLE = /\b(?:somebody|nobody|anybody|everybody|whoever)\b/i;
const EXCEPTION =
  /\b(?:but for|but (?:the|those|what)|nothing but|none but|no more than|otherwise than|aside|apart from)\b/i;
const BOOKISH =
  /\b(?:anew|meanwhile|for good|as ever|dear|dearest|will do|in the place of|of its own|of their own|else\b(?=[,.;:]|$)|perhaps|whole\b|begun|of before|that there (?:is|are)|be it|at most so)\b/i;

const MAX_WORDS = 32;
const MAX_CLAUSES = 4;
/** A sentence this short has no other noun for its pronoun. */
const SHORT = 12;

const wordsIn = (sentence: string): number => sentence.split(/\s+/).length;
const strong = (name: string, matches: Rule["matches"]): Rule => ({ name, strength: "strong", matches });
const weak = (name: string, matches: Rule["matches"]): Rule => ({ name, strength: "weak", matches });

export const RULES: readonly Rule[] = [
  strong("clause for a noun", (s) => STARTS_RELATIVE.test(s) && !s.endsWith("?")),
  strong("clause for a noun", (s) => INNER_RELATIVE.test(withoutIndirect(s))),
  strong("clause for a noun", (s) => CLAUSE_RELATIVE.test(withoutIndirect(s))),
  strong("unusual order", (s) => FRONTED.test(s) || s.startsWith("Of ") || /; of \w+/.test(s)),
  strong("unusual order", (s) => PARTICIPLE_FIRST.test(s) || /\b(?:is|are) \w+ed that\b/.test(s)),
  strong("pronoun without a noun", (s) => PRONOUN_FIRST.test(s) && wordsIn(s) < SHORT && !COPULA.test(s)),
  strong("too long", (s) => wordsIn(s) > MAX_WORDS || (s.match(CLAUSES) ?? []).length >= MAX_CLAUSES),
  strong(
    "missing verb",
    (s) =>
      /: (?:by|of|from|to|the|a|that|without|until|for) [^,.;:]{0,60}[.;]/.test(s) &&
      /^`\w+`:/.test(s) &&
      !VERB.test(s),
  ),
  weak("where for if", (s) => WHERE_IF.test(s)),
  weak("plain word for a term", (s) => PLAIN_WORD.test(s)),
  weak("nobody for a role", (s) => NO_ROLE.test(s)),
  weak("exception", (s) => EXCEPTION.test(s)),
  weak("bookish word", (s) => BOOKISH.test(s)),
  weak("two colons", (s) => (s.replaceAll(/`[^`]*`|\b\w+:\/\//g, "x").match(/[:;]/g) ?? []).length >= 2),
];
