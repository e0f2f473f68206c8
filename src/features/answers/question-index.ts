/** Publicly answered questions. Their texts are read once and cached. */

import { setImmediate } from "node:timers/promises";
import type { Millis } from "../../machine/id.ts";
import type { Answer, AnswerId, Answers } from "../../ports/answers.ts";
import { nameOfAnswer } from "../../ports/feedback.ts";
import { normalizedQuestion } from "./normalized-question.ts";
import { likeness, type Stems, stemsOf } from "../../text/stems.ts";

interface Asked {
  /** The answer at the time of reading; fields that may have changed are checked again. */
  readonly answer: Answer;
  readonly words: string;
  readonly stems: Stems;
}

/** Newest questions that a new one is compared with. */
const MOST = 5_000;
/** Questions that are read and compared before the event loop gets a turn. */
const AT_ONCE = 50;
/**
 * Similarity of two questions: the minimum share of significant words that both contain, and the minimum number of shared
 * words.
 */
const SIMILAR = 0.3;
const SHARED = 2;

export const createQuestionIndex = (answers: Pick<Answers, "answersInPublic" | "answer">) => {
  let kept: ReadonlyMap<string, Asked | null> = new Map();

  const read = (id: AnswerId): Asked | null => {
    const answer = answers.answer(id);
    if (answer === null) return null;
    const { text } = answer.question;
    return { answer, words: normalizedQuestion(text), stems: stemsOf(text) };
  };

  const meant = async (since: Millis, isMeant: (answer: Answer) => boolean): Promise<readonly Asked[]> => {
    const known = new Map<string, Asked | null>();
    const found: Asked[] = [];
    for (const [index, id] of answers.answersInPublic(since, MOST).entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      const key = nameOfAnswer(id);
      const asked = kept.get(key) ?? read(id);
      known.set(key, asked);
      if (asked !== null && isMeant(asked.answer)) found.push(asked);
    }
    kept = known;
    return found;
  };

  return {
    /** Answers to the same words, the newest first. */
    same: async (
      question: string,
      since: Millis,
      isMeant: (answer: Answer) => boolean,
    ): Promise<readonly Answer[]> => {
      const words = normalizedQuestion(question);
      if (words === "") return [];
      const all = await meant(since, isMeant);
      return all.filter((one) => one.words === words).map(({ answer }) => answer);
    },
    /** Answers to similar questions, the most similar first, then the newest. */
    similar: async (
      question: string,
      since: Millis,
      isMeant: (answer: Answer) => boolean,
    ): Promise<readonly Answer[]> => {
      const stems = stemsOf(question);
      const all = await meant(since, isMeant);
      return all
        .map((one) => ({ ...one, alike: similarity(one.stems, stems) }))
        .filter(({ alike }) => alike >= SIMILAR)
        .toSorted((a, b) => b.alike - a.alike || b.answer.at - a.answer.at)
        .map(({ answer }) => answer);
    },
  };
};

const similarity = (a: Stems, b: Stems): number =>
  [...a.keys()].filter((one) => b.has(one)).length < SHARED ? 0 : likeness(a, b);
