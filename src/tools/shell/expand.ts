/**
 * From syntax nodes to words: quote removal, expansion of what the script itself says, and a mark on
 * everything else. Follows the order of bash closely enough for ordinary and for mischievous spelling.
 */
import { decodeEscapes, readQuoted, readUnquoted } from "./text.ts";
import { sequence, splitExpansion, toValue, toWords } from "./bits.ts";
import { type Bit, type Choice, EMPTY, type Piece, type Word, wordSize } from "./word.ts";
import { groupWords } from "./groups.ts";
import { constantOutput } from "./output.ts";
import type { Syntax } from "./grammar.ts";
import type { Value, Variables } from "./variables.ts";

/** Nesting of expansions inside one word that is followed; deeper ones are unknown. */
const MAX_DEPTH = 32;

/** What expansions may still add, in characters; shared by a whole script and below zero when spent. */
export interface Effort {
  left: number;
}

/** What a word is read with. */
export interface Reader {
  readonly source: string;
  readonly variables: Variables;
  /** `$0`, `$1`, … where they are known. */
  readonly positional: readonly Word[] | null;
  readonly effort: Effort;
}

/** `plain` words are split and globbed; `assigned` values and `quoted` text are not split. */
type Mode = "plain" | "assigned" | "quoted";

/** The possible results of a word that is written as these adjacent nodes. */
export const readWord = (nodes: readonly Syntax[], reader: Reader, depth = 0): readonly (readonly Word[])[] =>
  readAll(nodes, reader, "plain", depth).map(toWords);

/** The possible values of the right side of an assignment (null: `NAME=`). */
export const readValue = (node: Syntax | null, reader: Reader): readonly Word[] =>
  (node === null ? [[]] : readNode(node, reader, "assigned", 0)).map(toValue);

/** The text of a here-document whose delimiter was not quoted. */
export const readHeredoc = (node: Syntax, reader: Reader): Word =>
  toValue(readRange(node.children, node.start, node.end, reader, "quoted", 0)[0] ?? []);

const readAll = (nodes: readonly Syntax[], reader: Reader, mode: Mode, depth: number): readonly Choice[] =>
  sequence(nodes.map((node) => readNode(node, reader, mode, depth)));

const readNode = (node: Syntax, reader: Reader, mode: Mode, depth: number): readonly Choice[] => {
  const source = reader.source.slice(node.start, node.end);
  if (depth > MAX_DEPTH) return [[{ kind: "unknown", source }]];
  switch (node.type) {
    case "raw_string":
      return [[{ kind: "mark" }, plain(source.slice(1, -1))]];
    case "ansi_c_string":
      return [[{ kind: "mark" }, plain(decodeEscapes(source.slice(2, -1)))]];
    case "string":
      return readString(node, reader, depth);
    case "translated_string":
      return readAll(node.children.filter(isNamed), reader, mode, depth + 1);
    case "simple_expansion":
      return readSimple(node, reader, mode);
    case "expansion":
      return readBraced(node, reader, mode, depth);
    case "command_substitution":
      return [readSubstitution(node, source, reader, mode, depth)];
    case "arithmetic_expansion":
    case "process_substitution":
      return [[{ kind: "unknown", source }]];
    case "``":
      return [[]];
    case "$":
      return [readDollar(node, reader.source)];
    default:
      return node.children.length === 0 || node.type === "brace_expression"
        ? [mode === "quoted" ? readQuoted(source) : readUnquoted(source)]
        : readRange(node.children, node.start, node.end, reader, mode, depth + 1);
  }
};

const isNamed = (node: Syntax): boolean => node.named;

const plain = (text: string): Piece => ({ kind: "text", text, active: false });

/**
 * A dollar that begins no expansion: itself after a backslash, the mark of a translated string before a quote.
 * The grammar may count text before the dollar to the node.
 */
const readDollar = (node: Syntax, source: string): Choice => {
  const backslashes = /\\*$/.exec(source.slice(Math.max(0, node.start - 64), node.end - 1))?.[0].length ?? 0;
  const head = source.slice(node.start, node.end - 1);
  if (backslashes % 2 === 1) return head === "" ? [plain("$")] : readUnquoted(`${head}$`);
  return [...readUnquoted(head), ...(source[node.end] === '"' ? [] : [plain("$")])];
};

/** Children with the text between them, which the grammar leaves out in some places. */
const readRange = (
  children: readonly Syntax[],
  start: number,
  end: number,
  reader: Reader,
  mode: Mode,
  depth: number,
): readonly Choice[] => {
  const literal = (from: number, to: number): readonly Choice[] => {
    const text = reader.source.slice(from, to);
    return [mode === "quoted" ? readQuoted(text) : readUnquoted(text)];
  };
  const parts: (readonly Choice[])[] = [];
  let at = start;
  for (const child of children) {
    if (child.end <= at) continue;
    if (child.start > at) parts.push(literal(at, child.start));
    parts.push(readNode(child, reader, mode, depth));
    at = child.end;
  }
  if (at < end) parts.push(literal(at, end));
  return sequence(parts);
};

const readString = (node: Syntax, reader: Reader, depth: number): readonly Choice[] => {
  const closed = node.end - node.start > 1 && reader.source[node.end - 1] === '"';
  const inner = node.children.filter(({ type, named }) => named && type !== "string_content");
  const content = readRange(
    inner,
    node.start + 1,
    closed ? node.end - 1 : node.end,
    reader,
    "quoted",
    depth + 1,
  );
  // `"$@"` of nothing is no word at all.
  const isNothing = inner.length === 1 && content.every((choice) => choice.length === 0);
  if (isNothing && ALL.test(reader.source.slice(node.start, node.end))) return content;
  return sequence([[[{ kind: "mark" }]], content]);
};

const ALL = /^"\$(?:@|\{(?:@|\w+\[@\])\})"$/;

/** `$name`. The grammar may count white space before the dollar to the node. */
const readSimple = (node: Syntax, reader: Reader, mode: Mode): readonly Choice[] => {
  const source = reader.source.slice(node.start, node.end);
  const dollar = source.indexOf("$");
  const before: Choice = dollar > 0 ? [plain(source.slice(0, dollar))] : [];
  const written = source.slice(dollar + 1).replaceAll("\\\n", "");
  // `$1m` is the first argument and an m, but one name to the grammar.
  const name = /^\d/.test(written) ? written.slice(0, 1) : written;
  const after: Choice = name === written ? [] : [plain(written.slice(1))];
  const value = valueOf(name, reader, mode);
  return sequence([[before], value ?? [[{ kind: "unknown", source: source.slice(dollar) }]], [after]]);
};

/** `${name}` and `${name<operator>word}`. */
const readBraced = (node: Syntax, reader: Reader, mode: Mode, depth: number): readonly Choice[] => {
  const source = reader.source.slice(node.start, node.end);
  const lead = readUnquoted(source.slice(0, Math.max(0, source.indexOf("$"))));
  const unknown: readonly Choice[] = [[{ kind: "unknown", source }]];
  const [name, operator, ...operand] = node.children.filter(({ type }) => type !== "${" && type !== "}");
  if (name === undefined || !NAMES.has(name.type)) return sequence([[lead], unknown]);
  const value = valueOf(nameOf(name, reader), reader, mode);
  const alternative = (): readonly Choice[] => readAll(operand, reader, mode, depth + 1);
  const read = (): readonly Choice[] => {
    if (operator === undefined) return value ?? unknown;
    switch (operator.type) {
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
      default:
        return isPlace(value) ? value : unknown;
    }
  };
  return sequence([[lead], read()]);
};

/** Known, and not empty. */
const isTold = (choice: Choice): boolean =>
  choice.every(({ kind }) => kind !== "unknown") &&
  choice.some((bit) => bit.kind === "place" || bit.kind === "text");

const NAMES: ReadonlySet<string> = new Set(["variable_name", "special_variable_name", "subscript"]);

/** The name in `${name}` or `${name[index]}`; one element of a list is read as any of them. */
const nameOf = (node: Syntax, reader: Reader): string => {
  const name = node.type === "subscript" ? (node.children[0] ?? node) : node;
  return reader.source.slice(name.start, name.end);
};

/** A home that is trimmed or edited (`${HOME%/}`) is still taken for a home. */
const isPlace = (value: readonly Choice[] | null): value is readonly Choice[] =>
  value !== null && value[0]?.[0]?.kind === "place";

/** What the script says of a variable; null when it says nothing, or too much, or has another way of splitting it. */
const valueOf = (name: string, reader: Reader, mode: Mode): readonly Choice[] | null => {
  const quoted = mode !== "plain";
  const use = (word: Word): Choice =>
    quoted ? [{ kind: "mark" }, ...word.pieces] : splitExpansion(word.pieces);
  if (!quoted && reader.variables.has("IFS") && name !== "IFS") return null;
  const known = reader.variables.get(name) ?? positionalValue(name, reader.positional);
  if (known !== null) {
    const words = known.kind === "scalar" ? known.values : known.words;
    reader.effort.left -= words.reduce((sum, word) => sum + wordSize(word), 0);
    if (reader.effort.left < 0) return null;
    return known.kind === "scalar" ? words.map(use) : [spread(words.map(use))];
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
  node: Syntax,
  source: string,
  reader: Reader,
  mode: Mode,
  depth: number,
): Choice => {
  if (WORKING_DIRECTORY.test(source)) return [{ kind: "place", place: "cwd" }];
  if (NO_COMMAND.test(source)) return [];
  const commands = node.children.filter(isNamed);
  const [command] = commands;
  const output =
    commands.length === 1 && command?.type === "command"
      ? constantOutput(commandWords(command, reader, depth + 1), null)
      : null;
  if (output === null) return [{ kind: "unknown", source }];
  const pieces = output.pieces.map((piece) =>
    piece.kind === "text" ? { ...piece, text: piece.text.replace(/\n+$/, "") } : piece,
  );
  return mode === "plain" ? splitExpansion(pieces) : [{ kind: "mark" }, ...pieces];
};

const NO_COMMAND = /^\$\(\s*\)$/;

const WORKING_DIRECTORY = /^(?:\$\(|`) ?(?:pwd(?: -[LP])?|git rev-parse --show-toplevel) ?[)`]$/;

/** All words of a command node without its assignments and redirections, first choice each. */
export const commandWords = (command: Syntax, reader: Reader, depth = 0): readonly Word[] =>
  groupWords(command.children, reader.source).flatMap((group) => readWord(group, reader, depth)[0] ?? []);

/** The words of these nodes, every possible result of each. */
export const readWords = (nodes: readonly Syntax[], reader: Reader): readonly Word[] =>
  groupWords(nodes, reader.source).flatMap((group) => readWord(group, reader).flat());
