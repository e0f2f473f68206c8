/**
 * Groups questions by topic, without a model: the word that most ungrouped questions share names the next topic. Each question
 * belongs to at most one topic. The order of the questions makes no difference. Pure.
 */

import { createHash } from "node:crypto";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import { isNameOfCode, type Stems } from "../../text/stems.ts";

/** Maximum for one repository. */
export const MOST_TOPICS = 20;
/** With at least MANY questions, a word in more than this share of the questions is too common for a topic. */
const COMMON = 0.6;
const MANY = 10;

export interface TopicGroup<Question> {
  readonly key: string;
  readonly name: string;
  readonly questions: readonly [Question, ...Question[]];
}

export const topicsOf = <Question extends { readonly stems: Stems; readonly repo: RepositoryBinding }>(
  questions: readonly Question[],
): readonly TopicGroup<Question>[] => {
  const holding = Map.groupBy(
    questions.flatMap((question) => [...question.stems.keys()].map((stem) => ({ stem, question }))),
    ({ stem }) => stem,
  );
  const most = questions.length < MANY ? questions.length : questions.length * COMMON;
  const left = new Map(
    [...holding].flatMap(([stem, all]) =>
      all.length >= 2 && all.length <= most ? [[stem, all.length] as const] : [],
    ),
  );
  const taken = new Set<Question>();
  const topics: TopicGroup<Question>[] = [];
  for (let stem = widest(left); stem !== null && topics.length < MOST_TOPICS; stem = widest(left)) {
    const [first, ...more] = (holding.get(stem) ?? [])
      .map(({ question }) => question)
      .filter((one) => !taken.has(one));
    if (first === undefined) break;
    const own = [first, ...more] as const;
    for (const question of own) {
      taken.add(question);
      for (const other of question.stems.keys()) {
        const before = left.get(other);
        if (before !== undefined) left.set(other, before - 1);
      }
    }
    topics.push({ key: keyOf(first.repo, stem), name: nameOf(stem, own), questions: own });
  }
  return topics;
};

/** The word that most questions without a topic share, preferring names in code; null if no word is shared. */
const widest = (left: ReadonlyMap<string, number>): string | null => {
  let best = "";
  let most = 0;
  for (const [stem, count] of left) {
    const weight = count < 2 ? 0 : count * (isNameOfCode(stem) ? 1.5 : 1);
    if (weight > most || (weight > 0 && weight === most && stem < best)) [best, most] = [stem, weight];
  }
  return most === 0 ? null : best;
};

/** The shared word, and a second word that more than half of the questions share. */
const nameOf = (stem: string, own: readonly { readonly stems: Stems }[]): string => {
  const others = own.flatMap(({ stems }) => [...stems.keys()].filter((one) => one !== stem));
  const beside = commonest(others, Math.max(1, own.length / 2));
  return [stem, ...(beside ?? [])].map((one) => shownAs(one, own)).join(" ");
};

const shownAs = (stem: string, own: readonly { readonly stems: Stems }[]): string =>
  commonest(
    own.flatMap(({ stems }) => stems.get(stem) ?? []),
    0,
  )?.[0] ?? stem;

/** The most frequent value, if its count exceeds `least`. */
const commonest = (all: readonly string[], least: number): readonly [string] | null => {
  const counts = [...Map.groupBy(all, (one) => one)].map(([one, { length }]) => [one, length] as const);
  const [first] = counts.toSorted(([a, many], [b, some]) => some - many || (a < b ? -1 : 1));
  return first !== undefined && first[1] > least ? [first[0]] : null;
};

const keyOf = ({ location }: RepositoryBinding, stem: string): string =>
  createHash("sha256").update(`${location}\n${stem}`).digest("hex").slice(0, 12);
