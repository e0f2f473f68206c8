/**
 * The English sentence is its own key in the catalogs; `{name}` is a placeholder. The compiler checks keys against the German
 * catalog, and a test compares the other catalogs with it. Pure; the console's page loads this file unchanged.
 */

import type german from "./de.json";

export const LANGUAGES = ["en", "de", "es", "ja", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];

export type Sentence = keyof typeof german;

export type Label = Exclude<Sentence, `${string}{${string}`>;

type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;

export interface Say {
  (label: Label): string;
  <Text extends Sentence>(text: Text, values: Readonly<Record<Places<Text>, string | number>>): string;
  readonly filled: (text: string, values: Readonly<Record<string, string>>) => string;
  /** Translates stored or passed-on English text if the catalog contains the complete text. */
  readonly stored: (text: string) => string;
  readonly language: Language;
  readonly words: Readonly<Record<string, string>>;
}

/** A sentence for a person whose language is not known yet. */
export type LocalizedText = (say: Say) => string;

/** Numbers and durations are formatted for the reader's language. */
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

/** For texts that are always English: logs, texts for models, and commands of the operator. */
export const english: Say = createSay("en", {});

/** Returns the first supported language of tags such as `de-AT`. Traditional Chinese does not match Simplified Chinese. */
export const languageIn = (tags: readonly string[]): Language | null => {
  const spoken = tags.flatMap((tag) => {
    const [first = "", ...more] = tag.trim().toLowerCase().split(/[-_]/);
    return first === "zh" && more.some((one) => ["hant", "tw", "hk", "mo"].includes(one)) ? [] : first;
  });
  return (
    LANGUAGES.find((one) => one === spoken.find((tag) => LANGUAGES.some((known) => known === tag))) ?? null
  );
};
