/** Joins half-expanded words and completes them in bash's order: braces, then splitting, then tildes. */
import { appendPiece, type WordBit, type ExpansionResult, type WordPiece, type Word } from "./word.ts";

/** Maximum number of possible results to follow for one word. */
export const MAX_CHOICES = 16;

/**
 * Returns the results of consecutive parts: every combination, or, above the limit, enough combinations to contain each result
 * of each part. Linear in the number of parts.
 */
export const sequence = (parts: readonly (readonly ExpansionResult[])[]): readonly ExpansionResult[] => {
  let choices: WordBit[][] = [[]];
  for (const part of parts) {
    const before = choices;
    const count = Math.min(MAX_CHOICES, before.length * part.length);
    const every = count === before.length * part.length;
    if (count > before.length) {
      choices = Array.from({ length: count }, (_, at) => [
        ...(before[every ? Math.floor(at / part.length) : at % before.length] ?? []),
      ]);
    }
    for (const [at, choice] of choices.entries()) {
      for (const bit of part[at % part.length] ?? []) choice.push(bit);
    }
  }
  return choices;
};

/** Returns text after an unquoted expansion: split at white space, with active patterns and a plain `~`. */
export const splitExpansion = (pieces: readonly WordPiece[]): ExpansionResult =>
  pieces.flatMap((piece): readonly WordBit[] => (piece.kind === "text" ? splitText(piece.text) : [piece]));

const splitText = (source: string): readonly WordBit[] =>
  source.split(/([ \t\n]+)/).flatMap((part): readonly WordBit[] => {
    if (part === "") return [];
    if (part.trim() === "") return [{ kind: "break" }];
    const tilde = part.startsWith("~") ? 1 : 0;
    return [
      { kind: "text", text: part.slice(0, tilde), active: false },
      { kind: "text", text: part.slice(tilde), active: true },
    ];
  });

export const toWords = (choice: ExpansionResult): readonly Word[] =>
  expandBraces(choice).flatMap(split).map(expandTilde);

const split = (choice: ExpansionResult): readonly Word[] => {
  const words: Word[] = [];
  let pieces: WordPiece[] | null = null;
  for (const bit of choice) {
    if (bit.kind === "break") {
      if (pieces !== null) words.push({ pieces });
      pieces = null;
      continue;
    }
    pieces ??= [];
    if (bit.kind !== "mark") appendPiece(pieces, bit);
  }
  if (pieces !== null) words.push({ pieces });
  return words;
};

/** The value of an assignment is never split, and its patterns are inactive until an unquoted use. */
export const toValue = (choice: ExpansionResult): Word => {
  const pieces: WordPiece[] = [];
  for (const bit of choice) if (bit.kind !== "break" && bit.kind !== "mark") appendPiece(pieces, bit);
  return {
    pieces: expandTilde({ pieces }).pieces.map((piece) =>
      piece.kind === "text" ? { ...piece, active: false } : piece,
    ),
  };
};

/** Expands `~`, `~user` (another home) and `~+` at the start of a word, if no part of that prefix is quoted. */
const expandTilde = (word: Word): Word => {
  const [first, ...rest] = word.pieces;
  if (first?.kind !== "text" || !first.active || !first.text.startsWith("~")) return word;
  const slash = first.text.indexOf("/");
  if (slash === -1 && rest.length > 0) return word;
  const user = first.text.slice(1, slash === -1 ? undefined : slash);
  const after = slash === -1 ? "" : first.text.slice(slash);
  const tail: readonly WordPiece[] = after === "" ? rest : [{ ...first, text: after }, ...rest];
  if (user === "+") return { pieces: [{ kind: "place", place: "cwd" }, ...tail] };
  if (user === "-") return { pieces: [{ kind: "unknown", source: "~-" }, ...tail] };
  if (!/^[\w.-]*$/.test(user)) return word;
  return { pieces: [{ kind: "place", place: "home" }, ...tail] };
};

/** Maximum number of words from one word, and of its characters; above these limits the braces remain as written. */
const MAX_WORDS = 64;
const MAX_UNITS = 2_000;

/** A word without braces is returned alone. */
export const expandBraces = (choice: ExpansionResult): readonly ExpansionResult[] => {
  if (!choice.some((bit) => bit.kind === "text" && bit.active && bit.text.includes("{"))) return [choice];
  const units = choice.flatMap(toUnits);
  return (units.length > MAX_UNITS ? null : expand(units, { left: MAX_WORDS })) ?? [choice];
};

/** A bit with at most one character. */
type Unit = WordBit;

const toUnits = (bit: WordBit): readonly Unit[] =>
  bit.kind === "text" ? bit.text.split("").map((text) => ({ ...bit, text })) : [bit];

/** Expands the first group with a comma, then its results; null above the limits. */
const expand = (units: readonly Unit[], budget: { left: number }): readonly (readonly Unit[])[] | null => {
  const group = firstGroup(units);
  if (group === null) {
    budget.left -= 1;
    return budget.left < 0 ? null : [units];
  }
  const results: (readonly Unit[])[] = [];
  for (const option of group.options) {
    const part = expand([...units.slice(0, group.open), ...option, ...units.slice(group.close + 1)], budget);
    if (part === null) return null;
    results.push(...part);
  }
  return results;
};

interface Group {
  readonly open: number;
  readonly close: number;
  readonly options: readonly (readonly Unit[])[];
}

const firstGroup = (units: readonly Unit[]): Group | null => {
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  let found: readonly number[] = [];
  for (const [index, unit] of units.entries()) {
    if (unit.kind !== "text" || !unit.active) continue;
    if (unit.text === "{") open.push({ at: index, commas: [] });
    if (unit.text === ",") open.at(-1)?.commas.push(index);
    if (unit.text !== "}") continue;
    const group = open.pop();
    const first = found[0] ?? units.length;
    if (group !== undefined && group.commas.length > 0 && group.at < first) {
      found = [group.at, ...group.commas, index];
    }
  }
  const [start, end] = [found[0], found.at(-1)];
  if (start === undefined || end === undefined) return null;
  const options = found.slice(1).map((edge, i) => units.slice((found[i] ?? 0) + 1, edge));
  return { open: start, close: end, options };
};
