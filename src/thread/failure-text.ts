import type { Failure } from "../machine/vocabulary.ts";
import type { Say, StoredSentence } from "../i18n/say.ts";
import { durationText } from "./durations.ts";

export const failureText = ({ message, told }: Pick<Failure, "message" | "told">, say: Say): string =>
  told === undefined ? say.stored(message) : storedSentencesText(told, say);

export const storedSentencesText = (told: readonly StoredSentence[], say: Say): string =>
  told.map(({ text, values }) => say.filled(text, valuesIn(values, say))).join(" ");

const valuesIn = (values: StoredSentence["values"], say: Say): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueText(value, say)]));

const valueText = (value: StoredSentence["values"][string], say: Say): string => {
  if (typeof value === "string") return value;
  return typeof value === "number" ? value.toLocaleString(say.language) : durationText(value.lasts, say);
};
