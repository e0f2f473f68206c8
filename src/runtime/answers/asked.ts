/** Questions that were answered in public, by their normal forms, which are made once and kept. */

import { setImmediate } from "node:timers/promises";
import type { Millis } from "../../machine/id.ts";
import type { Answer, AnswerId, Answers } from "../../ports/answers/answers.ts";
import { nameOfAnswer } from "../../ports/answers/feedback.ts";
import type { Bound } from "../../ports/conversation.ts";
import type { Store } from "../../ports/store.ts";
import { formOf, type QuestionForm, termsIn } from "../../text/questions/form.ts";
import { addsNothing, compare, type Likeness } from "../../text/questions/same.ts";
import { answerText } from "../../thread/spoken.ts";

export interface Found {
  readonly answer: Answer;
  readonly likeness: Likeness;
}

interface Asked {
  /** As it was when it was read: what may change since is looked at again. */
  readonly answer: Answer;
  readonly form: QuestionForm;
  /** What its answer speaks of; made when it is wanted. */
  terms: ReadonlySet<string> | null;
}

/** Questions that a new one is compared with, the newest. */
const MOST = 5_000;
/** Those that are read and compared before others have their turn. */
const AT_ONCE = 50;

export const createAsked = (
  answers: Pick<Answers, "answersInPublic" | "answer">,
  store: Pick<Store, "words">,
) => {
  let kept: ReadonlyMap<string, Asked | null> = new Map();

  const read = (id: AnswerId): Asked | null => {
    const answer = answers.answer(id);
    return answer === null
      ? null
      : { answer, form: formOf(answer.question.text, namesOf(answer.repo)), terms: null };
  };

  const termsOf = (asked: Asked): ReadonlySet<string> => {
    const { said } = asked.answer;
    asked.terms ??= termsIn(said.map((id) => answerText(store.words([id]).get(id), "")).join("\n"));
    return asked.terms;
  };

  /** Those whose question is the same, of what is meant, the closest first, then the newest. */
  return async (
    question: string,
    repo: Bound,
    since: Millis,
    isMeant: (answer: Answer) => boolean,
  ): Promise<readonly Found[]> => {
    const form = formOf(question, namesOf(repo));
    const known = new Map<string, Asked | null>();
    const found: Found[] = [];
    for (const [index, id] of answers.answersInPublic(since, MOST).entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      const key = nameOfAnswer(id);
      const asked = kept.get(key) ?? read(id);
      known.set(key, asked);
      if (asked === null || !isMeant(asked.answer)) continue;
      const likeness = compare(asked.form, form, () => termsOf(asked));
      if (likeness !== null && addsNothing(asked.form, form)) found.push({ answer: asked.answer, likeness });
    }
    kept = known;
    return found.toSorted(
      (a, b) =>
        b.likeness.shared - b.likeness.spare - (a.likeness.shared - a.likeness.spare) ||
        b.answer.at - a.answer.at,
    );
  };
};

/** What everybody in a channel knows it is about. */
const namesOf = ({ location }: Bound): readonly string[] => [
  "parley",
  ...location
    .replace(/(?:\.git)?\/*$/, "")
    .split(/[/:]/)
    .slice(-2)
    .filter((name) => name !== ""),
];
