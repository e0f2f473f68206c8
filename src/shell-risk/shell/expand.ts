/**
 * Converts syntax to words: removes quotes, expands places and parameters, and marks everything else as unknown. Variables and
 * the output of commands are not followed. The order follows bash closely enough for ordinary and for malicious spelling.
 */
import type {
  Assignment as WrittenAssignment,
  Command,
  CommandExpansionPart,
  HereDoc,
  ParameterExpansionPart,
  Word as Written,
  WordPart,
} from "unbash";
import { sequence, splitExpansion, toValue, toWords } from "./bits.ts";
import type { Assignment } from "./command.ts";
import {
  type WordBit,
  type ExpansionResult,
  EMPTY,
  joinWords,
  type WordPiece,
  plainWord,
  type Word,
  wordSize,
} from "./word.ts";

/** Maximum nesting of expansions inside one word; deeper expansions are unknown. */
const MAX_DEPTH = 32;

/** Remaining size of expansions in characters, shared by a whole script; negative once used up. */
export interface ExpansionBudget {
  left: number;
}

export interface ExpansionContext {
  /** Names that the script has assigned to, whose values are unknown regardless of defaults. */
  readonly assigned: ReadonlySet<string>;
  /** `$0`, `$1`, …; null if unknown. */
  readonly positional: readonly Word[] | null;
  readonly effort: ExpansionBudget;
}

/** `plain` words are split and globbed; `assigned` values and `quoted` text are not split. */
type Mode = "plain" | "assigned" | "quoted";

export const readWord = (word: Written, reader: ExpansionContext, depth = 0): readonly (readonly Word[])[] =>
  readWhole(word, reader, "plain", depth).map(toWords);

export const readValue = (word: Written, reader: ExpansionContext): readonly Word[] =>
  readWhole(word, reader, "assigned", 0).map(toValue);

/** An assignment before a command is valid for that command only. */
export const readAssignment = ({ name, value }: WrittenAssignment, reader: ExpansionContext): Assignment => ({
  name,
  value: value.type === "ArrayValue" ? null : (readValue(value, reader)[0] ?? null),
});

/** Reads `NAME=value` as an ordinary word, with every possible value. */
export const readAsWords = ({ name, value }: WrittenAssignment, reader: ExpansionContext): readonly Word[] =>
  (value.type === "ArrayValue" ? [EMPTY] : readValue(value, reader)).map((each) =>
    joinWords([plainWord(`${name}=`), each], ""),
  );

/** Reads the text of a here-document with an unquoted delimiter. */
export const readHeredoc = ({ body }: HereDoc, reader: ExpansionContext): Word =>
  toValue(readWhole(body, reader, "quoted", 0)[0] ?? []);

interface Whole {
  readonly text: string;
  readonly pos: number;
  readonly parts?: readonly WordPart[] | undefined;
}

const readWhole = (
  whole: Whole,
  reader: ExpansionContext,
  mode: Mode,
  depth: number,
): readonly ExpansionResult[] => {
  const literal = mode === "quoted" ? readQuoted : readUnquoted;
  const read: (readonly ExpansionResult[])[] = [];
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

const readPart = (
  part: WordPart,
  reader: ExpansionContext,
  mode: Mode,
  depth: number,
): readonly ExpansionResult[] => {
  const source = part.text;
  if (depth > MAX_DEPTH) return [[{ kind: "unknown", source }]];
  switch (part.type) {
    case "Literal":
      return [mode === "quoted" ? readQuoted(source) : readUnquoted(source)];
    case "AnsiCQuoted":
      // The parser interprets these escapes differently from bash.
      if (/\\(?:x\{|\n)/.test(source)) return [[{ kind: "mark" }, { kind: "unknown", source }]];
      return [[{ kind: "mark" }, plain(part.value)]];
    case "SingleQuoted":
      return [[{ kind: "mark" }, plain(part.value)]];
    case "DoubleQuoted":
    case "LocaleString": {
      const content = sequence(part.parts.map((each) => readPart(each, reader, "quoted", depth + 1)));
      // `"$@"` without parameters is no word at all.
      const isNothing = part.parts.length === 1 && content.every((choice) => choice.length === 0);
      return isNothing && ALL.test(source) ? content : sequence([[[{ kind: "mark" }]], content]);
    }
    case "SimpleExpansion":
      return [valueOf(source.slice(1), reader, mode) ?? [{ kind: "unknown", source }]];
    case "ParameterExpansion":
      return readBraced(part, reader, mode, depth);
    case "CommandExpansion":
      return [readSubstitution(part)];
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      return [[{ kind: "unknown", source }]];
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return readWhole(part, reader, mode, depth + 1);
  }
};

const plain = (text: string): WordPiece => ({ kind: "text", text, active: false });

const ALL = /^"\$(?:@|\{(?:@|\w+\[@\])\})"$/;

/** Reads `${name}` and `${name<operator>word}`. */
const readBraced = (
  { text, parameter, prefix, index, operation }: ParameterExpansionPart,
  reader: ExpansionContext,
  mode: Mode,
  depth: number,
): readonly ExpansionResult[] => {
  const isSet = operation?.type === "Default" && reader.assigned.has(parameter);
  const unknown: ExpansionResult = [{ kind: "unknown", source: isSet ? `$${parameter}` : text }];
  if (prefix !== undefined) return [unknown];
  const value = index === undefined ? valueOf(parameter, reader, mode) : null;
  if (operation === undefined) return [value ?? unknown];
  if (operation.type !== "Default") return [isPlace(value) ? value : unknown];
  const alternative = (): readonly ExpansionResult[] => readWhole(operation.operand, reader, mode, depth + 1);
  switch (operation.operator) {
    case ":-":
    case "-":
    case ":=":
    case "=":
      return value !== null && isTold(value) ? [value] : [value ?? unknown, ...alternative()];
    case ":+":
    case "+":
      return [unknown, ...alternative()];
    case ":?":
    case "?":
      return [value ?? unknown];
  }
};

const isTold = (choice: ExpansionResult): boolean =>
  choice.every(({ kind }) => kind !== "unknown") &&
  choice.some((bit) => bit.kind === "place" || bit.kind === "text");

/** A trimmed or edited home (`${HOME%/}`) still counts as a home. */
const isPlace = (value: ExpansionResult | null): value is ExpansionResult => value?.[0]?.kind === "place";

/** Null if the text does not determine the value. */
const valueOf = (name: string, reader: ExpansionContext, mode: Mode): ExpansionResult | null => {
  const quoted = mode !== "plain";
  const use = (word: Word): ExpansionResult =>
    quoted ? [{ kind: "mark" }, ...word.pieces] : splitExpansion(word.pieces);
  const words = parametersOf(name, reader.positional);
  if (words !== null) {
    reader.effort.left -= words.reduce((sum, word) => sum + wordSize(word), 0);
    return reader.effort.left < 0 ? null : spread(words.map(use));
  }
  if (reader.assigned.has(name)) return null;
  if (name === "HOME") return [{ kind: "place", place: "home" }];
  if (name === "SHELL" || name === "BASH") return [plain("/bin/bash")];
  if (name === "PWD") return [{ kind: "place", place: "cwd" }];
  return name === "IFS" && !quoted ? [{ kind: "break" }] : null;
};

const parametersOf = (name: string, positional: readonly Word[] | null): readonly Word[] | null => {
  if (positional === null) return null;
  if (name === "@" || name === "*") return positional.slice(1);
  return /^\d$/.test(name) ? [positional[Number(name)] ?? EMPTY] : null;
};

const spread = (choices: readonly ExpansionResult[]): ExpansionResult =>
  choices.flatMap((choice, index): readonly WordBit[] =>
    index === 0 ? choice : [{ kind: "break" }, ...choice],
  );

/** The output of a substitution is unknown, except for the current directory and an empty command. */
const readSubstitution = ({ text }: CommandExpansionPart): ExpansionResult => {
  if (WORKING_DIRECTORY.test(text)) return [{ kind: "place", place: "cwd" }];
  return NO_COMMAND.test(text) ? [] : [{ kind: "unknown", source: text }];
};

const NO_COMMAND = /^(?:\$\(\s*\)|`\s*`)$/;

const WORKING_DIRECTORY = /^(?:\$\(|`) ?(?:pwd(?: -[LP])?|git rev-parse --show-toplevel) ?[)`]$/;

/** Returns all words of a command without its assignments and redirections, each with its first choice. */
export const commandWords = ({ name, args }: Command, reader: ExpansionContext): readonly Word[] =>
  [...(name === undefined ? [] : [name]), ...args].flatMap((each) =>
    each.type === "Word" ? (readWord(each, reader)[0] ?? []) : [],
  );

/** In unquoted text, a backslash makes the next character plain, or joins two lines. */
export const readUnquoted = (source: string): readonly WordPiece[] =>
  [...source.matchAll(/\\\n|\\([\s\S]?)|[^\\]+/g)].flatMap(([whole, escaped]): readonly WordPiece[] => {
    if (whole === "\\\n") return [];
    return escaped === undefined
      ? [{ kind: "text", text: whole, active: true }]
      : [{ kind: "text", text: escaped, active: false }];
  });

/** In double quotes and here-documents, only some characters can be escaped. */
export const readQuoted = (source: string): readonly WordPiece[] => [
  {
    kind: "text",
    text: source.replace(/\\\n|\\([$`"\\])/g, (_, kept?: string) => kept ?? ""),
    active: false,
  },
];
