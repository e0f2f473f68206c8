/**
 * From syntax to words: quote removal, expansion of what the script itself says, and a mark on everything else. Follows
 * the order of bash closely enough for ordinary and for mischievous spelling.
 */
import type {
  Command,
  CommandExpansionPart,
  HereDoc,
  ParameterExpansionPart,
  Word as Written,
  WordPart,
} from "unbash";
import { readQuoted, readUnquoted } from "./text.ts";
import { MAX_CHOICES, sequence, splitExpansion, toValue, toWords } from "./bits.ts";
import { type Bit, type Choice, EMPTY, type Piece, type Word, wordSize } from "./word.ts";
import { constantOutput } from "./output.ts";
import { type Value, type Variables, wordsOf } from "./variables.ts";

/** Nesting of expansions inside one word that is followed; deeper ones are unknown. */
const MAX_DEPTH = 32;

/** What expansions may still add, in characters; shared by a whole script and below zero when spent. */
export interface Effort {
  left: number;
}

/** What a word is read with. */
export interface Reader {
  readonly variables: Variables;
  /** `$0`, `$1`, … where they are known. */
  readonly positional: readonly Word[] | null;
  readonly effort: Effort;
}

/** `plain` words are split and globbed; `assigned` values and `quoted` text are not split. */
type Mode = "plain" | "assigned" | "quoted";

/** The possible results of a word. */
export const readWord = (word: Written, reader: Reader, depth = 0): readonly (readonly Word[])[] =>
  readWhole(word, reader, "plain", depth).map(toWords);

/** The possible values of the right side of an assignment. */
export const readValue = (word: Written, reader: Reader): readonly Word[] =>
  readWhole(word, reader, "assigned", 0).map(toValue);

/** The text of a here-document whose delimiter was not quoted. */
export const readHeredoc = ({ body }: HereDoc, reader: Reader): Word =>
  toValue(readWhole(body, reader, "quoted", 0)[0] ?? []);

/** Something that is written in parts, with the text between them. */
interface Whole {
  readonly text: string;
  readonly pos: number;
  readonly parts?: readonly WordPart[] | undefined;
}

const readWhole = (whole: Whole, reader: Reader, mode: Mode, depth: number): readonly Choice[] => {
  const literal = mode === "quoted" ? readQuoted : readUnquoted;
  const read: (readonly Choice[])[] = [];
  let at = 0;
  for (const part of whole.parts ?? []) {
    const start = part.pos - whole.pos;
    if (start > at) read.push([literal(whole.text.slice(at, start))]);
    read.push(readPart(part, reader, mode, depth));
    at = part.end - whole.pos;
  }
  if (at < whole.text.length) read.push([literal(whole.text.slice(at))]);
  return sequence(read);
};

const readPart = (part: WordPart, reader: Reader, mode: Mode, depth: number): readonly Choice[] => {
  const source = part.text;
  if (depth > MAX_DEPTH) return [[{ kind: "unknown", source }]];
  switch (part.type) {
    case "Literal":
      return [mode === "quoted" ? readQuoted(source) : readUnquoted(source)];
    case "AnsiCQuoted":
      // The parser makes something else of these than bash.
      if (/\\(?:x\{|\n)/.test(source)) return [[{ kind: "mark" }, { kind: "unknown", source }]];
      return [[{ kind: "mark" }, plain(part.value)]];
    case "SingleQuoted":
      return [[{ kind: "mark" }, plain(part.value)]];
    case "DoubleQuoted":
    case "LocaleString": {
      const content = sequence(part.parts.map((each) => readPart(each, reader, "quoted", depth + 1)));
      // `"$@"` of nothing is no word at all.
      const isNothing = part.parts.length === 1 && content.every((choice) => choice.length === 0);
      return isNothing && ALL.test(source) ? content : sequence([[[{ kind: "mark" }]], content]);
    }
    case "SimpleExpansion":
      return valueOf(source.slice(1), reader, mode) ?? [[{ kind: "unknown", source }]];
    case "ParameterExpansion":
      return readBraced(part, reader, mode, depth);
    case "CommandExpansion":
      return [readSubstitution(part, reader, mode, depth)];
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      return [[{ kind: "unknown", source }]];
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return readWhole(part, reader, mode, depth + 1);
  }
};

const plain = (text: string): Piece => ({ kind: "text", text, active: false });

const ALL = /^"\$(?:@|\{(?:@|\w+\[@\])\})"$/;

/** `${name}` and `${name<operator>word}`; one element of a list is read as any of them. */
const readBraced = (
  { text, parameter, prefix, index, operation }: ParameterExpansionPart,
  reader: Reader,
  mode: Mode,
  depth: number,
): readonly Choice[] => {
  const unknown: readonly Choice[] = [[{ kind: "unknown", source: text }]];
  if (prefix !== undefined) return unknown;
  const value = valueOf(parameter, reader, mode, index !== undefined && !EVERY.has(index.text));
  if (operation === undefined) return value ?? unknown;
  if (operation.type !== "Default") return isPlace(value) ? value : unknown;
  const alternative = (): readonly Choice[] => readWhole(operation.operand, reader, mode, depth + 1);
  switch (operation.operator) {
    case ":-":
    case "-":
    case ":=":
    case "=":
      return value?.every(isTold) === true ? value : [...(value ?? unknown), ...alternative()];
    case ":+":
    case "+":
      return [...unknown, ...alternative()];
    case ":?":
    case "?":
      return value ?? unknown;
  }
};

const EVERY: ReadonlySet<string> = new Set(["@", "*"]);

/** Known, and not empty. */
const isTold = (choice: Choice): boolean =>
  choice.every(({ kind }) => kind !== "unknown") &&
  choice.some((bit) => bit.kind === "place" || bit.kind === "text");

/** A home that is trimmed or edited (`${HOME%/}`) is still taken for a home. */
const isPlace = (value: readonly Choice[] | null): value is readonly Choice[] =>
  value !== null && value[0]?.[0]?.kind === "place";

/** What the script says of a variable; null when it says nothing, or too much, or has another way of splitting it. */
const valueOf = (name: string, reader: Reader, mode: Mode, isElement = false): readonly Choice[] | null => {
  const quoted = mode !== "plain";
  const use = (word: Word): Choice =>
    quoted ? [{ kind: "mark" }, ...word.pieces] : splitExpansion(word.pieces);
  if (!quoted && reader.variables.has("IFS") && name !== "IFS") return null;
  const known = reader.variables.get(name) ?? positionalValue(name, reader.positional);
  if (known !== null) {
    const words = wordsOf(known);
    reader.effort.left -= words.reduce((sum, word) => sum + wordSize(word), 0);
    if (reader.effort.left < 0) return null;
    if (known.kind === "list" && !isElement) return [spread(words.map(use))];
    return words.length > MAX_CHOICES ? null : words.map(use);
  }
  if (name === "HOME") return [[{ kind: "place", place: "home" }]];
  if (name === "SHELL" || name === "BASH") return [[plain("/bin/bash")]];
  if (name === "PWD") return [[{ kind: "place", place: "cwd" }]];
  return name === "IFS" && !quoted ? [[{ kind: "break" }]] : null;
};

const positionalValue = (name: string, positional: readonly Word[] | null): Value | null => {
  if (positional === null) return null;
  if (name === "@" || name === "*") return { kind: "list", words: positional.slice(1) };
  return /^\d$/.test(name) ? { kind: "scalar", values: [positional[Number(name)] ?? EMPTY] } : null;
};

const spread = (choices: readonly Choice[]): Choice =>
  choices.flatMap((choice, index): readonly Bit[] => (index === 0 ? choice : [{ kind: "break" }, ...choice]));

/** A substitution whose output the text tells: the current directory, or what `echo` is given. */
const readSubstitution = (
  { text, script }: CommandExpansionPart,
  reader: Reader,
  mode: Mode,
  depth: number,
): Choice => {
  if (WORKING_DIRECTORY.test(text)) return [{ kind: "place", place: "cwd" }];
  if (NO_COMMAND.test(text)) return [];
  const [only, ...more] = script?.commands ?? [];
  const output =
    more.length === 0 && only?.command.type === "Command" && only.command.redirects.length === 0
      ? constantOutput(commandWords(only.command, reader, depth + 1), null)
      : null;
  if (output === null) return [{ kind: "unknown", source: text }];
  const pieces = output.pieces.map((piece) =>
    piece.kind === "text" ? { ...piece, text: piece.text.replace(/\n+$/, "") } : piece,
  );
  return mode === "plain" ? splitExpansion(pieces) : [{ kind: "mark" }, ...pieces];
};

const NO_COMMAND = /^(?:\$\(\s*\)|`\s*`)$/;

const WORKING_DIRECTORY = /^(?:\$\(|`) ?(?:pwd(?: -[LP])?|git rev-parse --show-toplevel) ?[)`]$/;

/** All words of a command without its assignments and redirections, first choice each. */
export const commandWords = ({ name, args }: Command, reader: Reader, depth = 0): readonly Word[] =>
  [...(name === undefined ? [] : [name]), ...args].flatMap((each) =>
    each.type === "Word" ? (readWord(each, reader, depth)[0] ?? []) : [],
  );

/** Every possible result of each word. */
export const readWords = (words: readonly Written[], reader: Reader): readonly Word[] =>
  words.flatMap((word) => readWord(word, reader).flat());
