/**
 * Whether an answer that was given to one question answers another one. Decided by what both say, conservatively: what must agree
 * agrees, nothing that one of them is about is exchanged, and what the new one asks beyond the old one stands in the answer. Pure.
 */

import type { QuestionForm } from "./form.ts";
import { stemOf, wordsOf } from "./meaning.ts";

/** How far they agree: what of the old question is asked again, in hundredths, and what is asked that neither it nor its answer has. */
export interface Likeness {
  readonly shared: number;
  readonly spare: number;
}

/** Things that every project has tell less. */
const COMMON = 0.6;
const LIGHT = 0.5;
/** What both must say at least, unless they say the same. */
const LEAST = 1.2;
const LEAST_SHARE = 0.5;
/** What may be asked beyond, of what is shared. */
const MOST_SPARE = 0.35;
const MOST_LIGHT = 7;

/** True if the old question says nothing that the new one does not say: its asker put nothing of their own into the answer. */
export const addsNothing = (old: QuestionForm, asked: QuestionForm): boolean => {
  const has = (term: string): boolean => isLike(asked, term) || says(asked, term) || does(asked, term);
  const said = [...old.topic, ...old.common, ...old.strict, ...old.light];
  return old.beside.size === 0 && said.every((term) => has(term) || isLight(asked, term));
};

/** Null where it is another question. `answer`: what the old answer speaks of; see `termsIn`. */
export const compare = (
  old: QuestionForm,
  asked: QuestionForm,
  answer: () => ReadonlySet<string>,
): Likeness | null => {
  if (!mustAgree(old, asked, answer)) return null;
  const missing = without(old.topic, asked, isLike);
  const extra = without(asked.topic, old, isLike);
  const common = {
    missing: without(old.common, asked, says),
    extra: without(asked.common, old, says),
  };
  const fixed = old.strict.size + old.exact.size;
  const shared = old.topic.size - missing.length + COMMON * (old.common.size - common.missing.length) + fixed;
  const whole = old.topic.size + COMMON * old.common.size + fixed;
  const loose = without(old.light, asked, isLight).length + without(asked.light, old, isLight).length;
  const light = loose + common.missing.length + common.extra.length;
  const changes = missing.length + extra.length + light;
  const isNamed = old.topic.size - missing.length + fixed > 0;
  const both = shared + LIGHT * [...old.light].filter((term) => asked.light.has(term)).length;
  const isThin = whole === 0 || (changes > 0 && (!isNamed || (both < LEAST && changes > loose)));
  if (isThin || shared < whole * LEAST_SHARE || light > MOST_LIGHT) return null;
  const unanswered = extra.filter((term) => !answer().has(term)).length;
  const spare = unanswered + COMMON * common.extra.filter((term) => !answer().has(term)).length;
  if (spare > shared * MOST_SPARE || (unanswered > 0 && missing.length > 0)) return null;
  if (changes > 0 && isOneSentence(old.words, asked.words)) return null;
  return { shared: Math.round((100 * shared) / whole), spare: Math.round(100 * spare) };
};

/** Names, what is done, whether something fails or is left out, and from where to where. */
const mustAgree = (old: QuestionForm, asked: QuestionForm, answer: () => ReadonlySet<string>): boolean => {
  const lost = without(old.exact, asked, spells);
  const found = without(asked.exact, old, spells);
  if (lost.length > 0 || found.some((name) => !answer().has(name))) return false;
  const actions = [...without(old.strict, asked, does), ...without(asked.strict, old, does)];
  const isNarrow = old.isNarrow && asked.isNarrow;
  if (actions.some((action) => !(isNarrow && action === ONLY))) return false;
  if (old.fails !== null && asked.fails !== null && old.fails !== asked.fails) return false;
  const isProblem = old.fails === true || asked.fails === true;
  return (isProblem || old.isNegated === asked.isNegated) && !isTurned(old, asked);
};

const ONLY = stemOf("only");

/** From one to the other, and back. */
const isTurned = (old: QuestionForm, asked: QuestionForm): boolean =>
  old.target !== null &&
  asked.target !== null &&
  old.target !== asked.target &&
  [asked.topic, asked.light].some((terms) => terms.has(old.target ?? "")) &&
  [old.topic, old.light].some((terms) => terms.has(asked.target ?? ""));

const without = (
  terms: ReadonlySet<string>,
  form: QuestionForm,
  has: (form: QuestionForm, term: string) => boolean,
): readonly string[] => [...terms].filter((term) => !has(form, term));

const isLight = (form: QuestionForm, term: string): boolean => form.light.has(term);
const says = (form: QuestionForm, term: string): boolean => form.common.has(term) || form.beside.has(term);
const does = (form: QuestionForm, term: string): boolean => form.strict.has(term) || form.beside.has(term);

/** The same name, or its words one by one. */
const spells = (form: QuestionForm, name: string): boolean => {
  const words = wordsOf(name);
  return form.exact.has(name) || (words.length > 1 && words.every((word) => form.stems.has(stemOf(word))));
};

/** The same word, or in two words, by its initials, or cut short. */
const isLike = (form: QuestionForm, term: string): boolean =>
  form.topic.has(term) ||
  form.beside.has(term) ||
  form.stems.has(term) ||
  (term.length > 2 && term.length < 6 && form.initials.includes(term)) ||
  [...form.topic].some((one) => isCut(one, term) || isCut(term, one));

const isCut = (short: string, long: string): boolean => short.length >= 3 && long.startsWith(short);

/** But for one place: what stands there is what is asked. */
const isOneSentence = (a: readonly string[], b: readonly string[]): boolean => {
  const least = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < least && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < least - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return begin + end >= Math.max(a.length, b.length) / 2;
};
