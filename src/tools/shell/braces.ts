/** Brace expansion: `{a,b}` into two words. Sequences (`{1..9}`) stay one word with their text. */
import type { Bit, Choice } from "./word.ts";

/** Words that one word may become, and characters it may have; past them the braces stay as written. */
const MAX_WORDS = 64;
const MAX_UNITS = 2_000;

/** What the active braces of a word make of it; a word without any is returned alone. */
export const expandBraces = (choice: Choice): readonly Choice[] => {
  if (!choice.some((bit) => bit.kind === "text" && bit.active && bit.text.includes("{"))) return [choice];
  const units = choice.flatMap(toUnits);
  return (units.length > MAX_UNITS ? null : expand(units, { left: MAX_WORDS })) ?? [choice];
};

/** A bit with at most one character. */
type Unit = Bit;

const toUnits = (bit: Bit): readonly Unit[] =>
  bit.kind === "text" ? bit.text.split("").map((text) => ({ ...bit, text })) : [bit];

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
