/** Texts of the model's question to people (D53), read from the input of its call. */

import type { QuestionSpec } from "../machine/vocabulary.ts";
import type { Say } from "../i18n/say.ts";
import { clipText } from "../text/clip-text.ts";
import { spellInvisibleInProse } from "../text/invisible.ts";
import { fieldIn } from "../text/json.ts";

/** UTF-16 code units that fit on a button of every platform. */
const MAX_CHOICE = 75;

/** Labels of the offered answers, in order; empty for other questions. `input`: null if the call was erased. */
export const choiceLabels = (ask: QuestionSpec | undefined, input: unknown, say: Say): readonly string[] => {
  if (ask?.kind !== "person") return [];
  if (ask.plan === true) return [say("Go ahead")];
  const choices = choicesIn(input);
  return Array.from({ length: ask.choices }, (_, index) => choices[index] ?? `${index + 1}`);
};

const choicesIn = (input: unknown): readonly string[] => {
  const choices: unknown = fieldIn(input, "choices");
  return Array.isArray(choices)
    ? choices.map((choice) => clipText(spellInvisibleInProse(String(choice)), MAX_CHOICE))
    : [];
};

/** Label of the button that asks for a written answer. */
export const replyLabel = (ask: QuestionSpec & { readonly kind: "person" }, say: Say): string => {
  if (ask.plan === true) return say("Change the plan");
  return ask.choices === 0 ? say("Answer") : say("Other …");
};
