/** Putting half-expanded words together, and finishing them: braces, then splitting, then tildes, as bash does. */
import { expandBraces } from "./braces.ts";
import { appendPiece, type Bit, type Choice, type Piece, type Word } from "./word.ts";

/** Possible results followed up for one word. */
const MAX_CHOICES = 16;

/**
 * The results of parts that follow each other: every combination, or past the bound enough combinations
 * that each result of each part is in one. Linear in the number of parts.
 */
export const sequence = (parts: readonly (readonly Choice[])[]): readonly Choice[] => {
  let choices: Bit[][] = [[]];
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

/** Text as an unquoted expansion leaves it: split at white space, patterns active, `~` plain. */
export const splitExpansion = (pieces: readonly Piece[]): Choice =>
  pieces.flatMap((piece): readonly Bit[] => (piece.kind === "text" ? splitText(piece.text) : [piece]));

const splitText = (source: string): readonly Bit[] =>
  source.split(/([ \t\n]+)/).flatMap((part): readonly Bit[] => {
    if (part === "") return [];
    if (part.trim() === "") return [{ kind: "break" }];
    const tilde = part.startsWith("~") ? 1 : 0;
    return [
      { kind: "text", text: part.slice(0, tilde), active: false },
      { kind: "text", text: part.slice(tilde), active: true },
    ];
  });

/** The words of one result. */
export const toWords = (choice: Choice): readonly Word[] =>
  expandBraces(choice).flatMap(split).map(expandTilde);

const split = (choice: Choice): readonly Word[] => {
  const words: Word[] = [];
  let pieces: Piece[] | null = null;
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

/** One result as the value of an assignment: never split, patterns not active until it is used unquoted. */
export const toValue = (choice: Choice): Word => {
  const pieces: Piece[] = [];
  for (const bit of choice) if (bit.kind !== "break" && bit.kind !== "mark") appendPiece(pieces, bit);
  return {
    pieces: expandTilde({ pieces }).pieces.map((piece) =>
      piece.kind === "text" ? { ...piece, active: false } : piece,
    ),
  };
};

/** `~`, `~user` (another home) and `~+` at the start of a word, when no part of that prefix is quoted. */
const expandTilde = (word: Word): Word => {
  const [first, ...rest] = word.pieces;
  if (first?.kind !== "text" || !first.active || !first.text.startsWith("~")) return word;
  const slash = first.text.indexOf("/");
  if (slash === -1 && rest.length > 0) return word;
  const user = first.text.slice(1, slash === -1 ? undefined : slash);
  const after = slash === -1 ? "" : first.text.slice(slash);
  const tail: readonly Piece[] = after === "" ? rest : [{ ...first, text: after }, ...rest];
  if (user === "+") return { pieces: [{ kind: "place", place: "cwd" }, ...tail] };
  if (user === "-") return { pieces: [{ kind: "unknown", source: "~-" }, ...tail] };
  if (!/^[\w.-]*$/.test(user)) return word;
  return { pieces: [{ kind: "place", place: "home" }, ...tail] };
};
