/** Brace expansion of a word: `{a,b}` into two words. Sequences (`{1..9}`) stay one word with their text. */
import { appendPiece, type Piece, type Word } from "./word.ts";

/** Words that one word may become, and characters it may have; past them the braces stay as written. */
const MAX_WORDS = 64;
const MAX_UNITS = 2_000;

/** The words that the active braces of a word make; a word without any is returned alone. */
export const expandBraces = (word: Word): readonly Word[] => {
  if (!word.pieces.some((piece) => piece.kind === "text" && piece.active && piece.text.includes("{"))) {
    return [word];
  }
  const units = word.pieces.flatMap(toUnits);
  const expanded = units.length > MAX_UNITS ? null : expand(units, { left: MAX_WORDS });
  return expanded === null ? [word] : expanded.map((units) => ({ pieces: toPieces(units) }));
};

/** A piece of one character, or a piece that is not text. */
type Unit = Piece;

const toUnits = (piece: Piece): readonly Unit[] =>
  piece.kind === "text" ? piece.text.split("").map((text) => ({ ...piece, text })) : [piece];

const toPieces = (units: readonly Unit[]): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (const unit of units) appendPiece(pieces, unit);
  return pieces;
};

/** Expands the first group that has a comma, then what that makes; null when it makes too much. */
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
