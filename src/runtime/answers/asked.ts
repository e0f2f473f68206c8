/** Questions that were answered, by their normal forms, which are made once. */

import type { Answer } from "../../ports/answers/answers.ts";
import type { Bound } from "../../ports/conversation.ts";
import type { Store } from "../../ports/store.ts";
import { formOf, type QuestionForm, termsIn } from "../../text/questions/form.ts";
import { compare, type Likeness } from "../../text/questions/same.ts";
import { answerText } from "../../thread/spoken.ts";

interface Found {
  readonly answer: Answer;
  readonly likeness: Likeness;
}

interface Asked {
  /** The same question may be about another project. */
  readonly names: string;
  readonly text: string;
  readonly form: QuestionForm;
  /** Made when they are wanted. */
  terms: ReadonlySet<string> | null;
}

/** Forms that are kept. */
const MOST_KEPT = 5_000;

export const createAsked = (store: Pick<Store, "words">) => {
  const kept = new Map<string, Asked>();

  const askedIn = (answer: Answer, names: readonly string[]): Asked => {
    const key = `${answer.conversation}/${answer.message}`;
    const known = kept.get(key);
    const { text } = answer.question;
    const named = names.join(" ");
    if (known?.text === text && known.names === named) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const made: Asked = { names: named, text, form: formOf(text, names), terms: null };
    kept.set(key, made);
    return made;
  };

  const termsOf = (asked: Asked, { said }: Answer): ReadonlySet<string> => {
    asked.terms ??= termsIn(said.map((id) => answerText(store.words([id]).get(id), "")).join("\n"));
    return asked.terms;
  };

  return {
    /** Those whose question is the same, the closest first, then the newest. */
    like: (question: string, names: readonly string[], answers: readonly Answer[]): readonly Found[] => {
      const form = formOf(question, names);
      return answers
        .flatMap((answer): readonly Found[] => {
          const asked = askedIn(answer, names);
          const compared = compare(asked.form, form, () => termsOf(asked, answer));
          if (compared.kind === "other") return [];
          const { kind: _, ...likeness } = compared;
          return [{ answer, likeness }];
        })
        .toSorted(
          (a, b) =>
            b.likeness.shared - b.likeness.spare - (a.likeness.shared - a.likeness.spare) ||
            b.answer.at - a.answer.at,
        );
    },
  };
};

/** What everybody in a channel knows it is about. */
export const namesOf = ({ location }: Bound): readonly string[] => [
  "parley",
  ...location
    .replace(/(?:\.git)?\/*$/, "")
    .split(/[/:]/)
    .slice(-2)
    .filter((name) => name !== ""),
];
