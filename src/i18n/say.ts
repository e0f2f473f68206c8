/**
 * Words of the host in the language of whoever reads them. The English sentence stands where it is said, and is its own key in
 * the catalogues beside this file; `{name}` in it is a place for a value. German has every key, which the compiler looks at
 * wherever something is said, and a test that the others have the same. Pure; the console's page loads it as it is.
 */

import type german from "./de.json";

export const LANGUAGES = ["en", "de", "es", "ja", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];

/** English that the catalogues have. */
export type Sentence = keyof typeof german;

/** English without a place for a value: a label. */
export type Label = Exclude<Sentence, `${string}{${string}`>;

type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;

export interface Say {
  (label: Label): string;
  <Text extends Sentence>(text: Text, values: Readonly<Record<Places<Text>, string | number>>): string;
  /** A sentence that was kept with its values. */
  readonly filled: (text: string, values: Readonly<Record<string, string>>) => string;
  /** What the host stored in English or hands on: in the language as far as the catalogue has it as a whole. */
  readonly stored: (text: string) => string;
  readonly language: Language;
  readonly words: Readonly<Record<string, string>>;
}

/** A sentence for a person whose language is not known where it is made. */
export type LocalizedText = (say: Say) => string;

/** A sentence as it is kept for people whose language is known later. A number is written as they write it, a duration too. */
export interface StoredSentence {
  readonly text: string;
  readonly values: Readonly<Record<string, string | number | { readonly lasts: number }>>;
}

export const storedSentence = <Text extends Sentence>(
  text: Text,
  values: Readonly<Record<Places<Text>, StoredSentence["values"][string]>>,
): StoredSentence => ({ text, values });

export const createSay = (language: Language, words: Readonly<Record<string, string>>): Say => {
  const say = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
    (words[text] ?? text).replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
  return Object.assign(say, {
    language,
    words,
    filled: say,
    stored: (text: string): string => words[text] ?? text,
  });
};

/** What stays English: logs, what models read, and what the operator types. */
export const english: Say = createSay("en", {});

/** Of tags such as `de-AT`, the first that there are words for. `zh-Hant` and its places are no Simplified Chinese. */
export const languageIn = (tags: readonly string[]): Language | null => {
  const spoken = tags.flatMap((tag) => {
    const [first = "", ...more] = tag.trim().toLowerCase().split(/[-_]/);
    return first === "zh" && more.some((one) => ["hant", "tw", "hk", "mo"].includes(one)) ? [] : first;
  });
  return (
    LANGUAGES.find((one) => one === spoken.find((tag) => LANGUAGES.some((known) => known === tag))) ?? null
  );
};
