/** Reads command-line options like getopt: clusters, values, `--`, abbreviations. */
import { constantText, dropText, leadingText, type Word } from "./word.ts";

/** Options of a program that take a value. Any other option is a flag. */
export interface OptionRule {
  /** Letters whose value is the rest of the cluster or the next word. */
  readonly short?: string;
  /** Long names (without dashes) whose value is after `=` or the next word. */
  readonly long?: readonly string[];
  /** Whether options after the first operand count too (GNU programs); wrappers stop at the first operand. */
  readonly permute?: boolean;
}

/** Short options are single letters; long options are as written. */
export interface ParsedOption {
  readonly name: string;
  readonly long: boolean;
  readonly value: Word | null;
}

export interface Arguments {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Word[];
}

/** Words that start with unknown text are operands. */
export const readOptions = (args: readonly Word[], rule: OptionRule = {}): Arguments => {
  const options: ParsedOption[] = [];
  const operands: Word[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (word === undefined) break;
    const text = leadingText(word);
    if (text === "--" && constantText(word) === "--")
      return { options, operands: [...operands, ...args.slice(at + 1)] };
    if (text.length < 2 || !text.startsWith("-")) {
      if (rule.permute !== true) return { options, operands: args.slice(at) };
      operands.push(word);
      continue;
    }
    const { read, needsValue } = text.startsWith("--")
      ? readLong(word, text, rule)
      : readCluster(word, text, rule);
    for (const option of read) options.push(option);
    const last = options.at(-1);
    if (!needsValue || last === undefined) continue;
    at += 1;
    options[options.length - 1] = { ...last, value: args[at] ?? null };
  }
  return { options, operands };
};

interface Read {
  readonly read: readonly ParsedOption[];
  readonly needsValue: boolean;
}

const readLong = (word: Word, text: string, rule: OptionRule): Read => {
  const equals = text.indexOf("=");
  const name = text.slice(2, equals === -1 ? undefined : equals);
  const value = equals === -1 ? null : dropText(word, equals + 1);
  return {
    read: [{ name, long: true, value }],
    needsValue: value === null && rule.long?.includes(name) === true,
  };
};

const readCluster = (word: Word, text: string, rule: OptionRule): Read => {
  const read: ParsedOption[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const name = text[at] ?? "";
    if (rule.short?.includes(name) !== true) {
      read.push({ name, long: false, value: null });
      continue;
    }
    const value = dropText(word, at + 1);
    const attached = value.pieces.length > 0;
    return { read: [...read, { name, long: false, value: attached ? value : null }], needsValue: !attached };
  }
  return { read, needsValue: false };
};

/** Whether a long option is `name` or abbreviates `name` with at least `least` characters. */
export const abbreviates = (option: ParsedOption, name: string, least: number): boolean =>
  option.long && option.name.length >= least && name.startsWith(option.name);

export const valuesOf = (options: readonly ParsedOption[], names: readonly string[]): readonly Word[] =>
  options.flatMap(({ name, value }) => (value !== null && names.includes(name) ? [value] : []));

/** Whether one of the letters is given, or one of the names, which may be abbreviated. */
export const has = (
  options: readonly ParsedOption[],
  letters: string,
  ...names: readonly string[]
): boolean =>
  hasFlag(options, letters) || names.some((name) => options.some((each) => abbreviates(each, name, 3)));

export const hasFlag = (options: readonly ParsedOption[], letters: string): boolean =>
  options.some(({ long, name }) => !long && letters.includes(name));
