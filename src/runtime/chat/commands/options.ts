import type { OfferedOption } from "../../../ports/commands.ts";
import { withoutEnd } from "../../../text/trim-end.ts";
import type { Label } from "../../../i18n/say.ts";

export type CommandReading =
  /** `words`: normalized for comparison. `typed`: as typed, because ids and names keep their case. */
  | { readonly kind: "words"; readonly words: readonly string[]; readonly typed: readonly string[] }
  | { readonly kind: "text"; readonly text: string };

export type CommandWords = Extract<CommandReading, { readonly kind: "words" }>;

export interface Option<Value> extends OfferedOption {
  readonly takes: "word" | "all" | "text";
  readonly isName: boolean;
  /** Returns null if absent, and undefined if the words mean something else. `index`: position among the options. */
  readonly read: (reading: CommandReading, index: number) => Value | null | undefined;
}

/** In characters. */
export const MAX_TEXT = 1_500;

type Offer = Pick<OfferedOption, "form" | "choices" | "required" | "max">;

export const choiceOption = <const Choice extends string>(
  name: string,
  does: Label,
  ...choices: readonly Choice[]
): Option<Choice> =>
  oneWord(name, does, { form: "text", choices }, (typed) => choices.find((one) => one === typed));

export const wordOption = (name: string, does: Label, form?: RegExp): Option<string> =>
  oneWord(name, does, { form: "text" }, (one) => (form === undefined || form.test(one) ? one : undefined));

export const typedWord = <Value>(
  name: string,
  does: Label,
  read: (typed: string) => Value | undefined,
): Option<Value> => oneWord(name, does, { form: "text" }, (_, typed) => read(typed));

export const namedOption = <Value>(
  name: string,
  does: Label,
  read: (typed: string) => Value | undefined,
): Option<Value> => ({ ...typedWord(name, does, read), isName: true });

export const allWords = (name: string, does: Label, more: Pick<Offer, "max"> = {}): Option<CommandWords> => ({
  name,
  does,
  form: "text",
  ...more,
  takes: "all",
  isName: false,
  read: (reading) => {
    if (reading.kind === "text") return undefined;
    return reading.words.length === 0 ? null : reading;
  },
});

/** Part of the words that {@link allWords} reads, offered as a separate option. */
export const partOfAll = (name: string, does: Label, ...choices: readonly string[]): Option<never> => ({
  name,
  does,
  form: "text",
  choices,
  takes: "word",
  isName: false,
  read: () => null,
});

/** `without`: words that need no colon. */
export const ownText = (
  name: string,
  does: Label,
  more: Pick<Offer, "required" | "max">,
  without: readonly string[] = [],
): Option<string> => ({
  name,
  does,
  form: "text",
  ...more,
  takes: "text",
  isName: false,
  read: (reading) => {
    if (reading.kind === "text") return reading.text;
    const [one, ...others] = reading.words;
    if (one === undefined) return null;
    return others.length === 0 && without.includes(one) ? one : undefined;
  },
});

const oneWord = <Value>(
  name: string,
  does: Label,
  offer: Offer,
  read: (word: string, typed: string) => Value | undefined,
): Option<Value> => ({
  name,
  does,
  ...offer,
  takes: "word",
  isName: false,
  read: (reading, index) => {
    if (reading.kind === "text") return undefined;
    const one = reading.words[index];
    return one === undefined ? null : read(one, reading.typed[index] ?? "");
  },
});

export const compared = (text: string): string =>
  withoutEnd(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[\u0307\p{Cf}]/gu, "")
      .replaceAll(/\s+/gu, " ")
      .trim()
      .replace(/^\//, ""),
    ".!…。",
  );
