/** Questions that were answered in public, by their words, which are normalized once and kept. */

import { setImmediate } from "node:timers/promises";
import type { Millis } from "../../machine/id.ts";
import type { Answer, AnswerId, Answers } from "../../ports/answers/answers.ts";
import { nameOfAnswer } from "../../ports/answers/feedback.ts";
import { normalizedQuestion } from "../../text/normalized-question.ts";

interface Asked {
  /** As it was when it was read: what may change since is looked at again. */
  readonly answer: Answer;
  readonly words: string;
}

/** Questions that a new one is compared with, the newest. */
const MOST = 5_000;
/** Those that are read and compared before others have their turn. */
const AT_ONCE = 50;

export const createAsked = (answers: Pick<Answers, "answersInPublic" | "answer">) => {
  let kept: ReadonlyMap<string, Asked | null> = new Map();

  const read = (id: AnswerId): Asked | null => {
    const answer = answers.answer(id);
    return answer === null ? null : { answer, words: normalizedQuestion(answer.question.text) };
  };

  /** Answers to the same words among those that are meant, the newest first. */
  return async (
    question: string,
    since: Millis,
    isMeant: (answer: Answer) => boolean,
  ): Promise<readonly Answer[]> => {
    const words = normalizedQuestion(question);
    if (words === "") return [];
    const known = new Map<string, Asked | null>();
    const found: Answer[] = [];
    for (const [index, id] of answers.answersInPublic(since, MOST).entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      const key = nameOfAnswer(id);
      const asked = kept.get(key) ?? read(id);
      known.set(key, asked);
      if (asked !== null && asked.words === words && isMeant(asked.answer)) found.push(asked.answer);
    }
    kept = known;
    return found;
  };
};
