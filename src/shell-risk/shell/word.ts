/**
 * The words of a command after the shell's expansions, as far as its text alone determines them.
 *
 * Quotes are removed, and their effect is kept: `active` says whether `*`, `?`, `[` and `{` in a piece of text are patterns or
 * plain characters. Values that the text does not contain (a variable set elsewhere, a command's output) are `unknown` and
 * never guessed.
 */

/** Text; `active` if its pattern characters were not quoted. */
interface TextPiece {
  readonly kind: "text";
  readonly text: string;
  readonly active: boolean;
}

/** A directory known by meaning instead of path: a home directory, or the current directory. */
interface PlacePiece {
  readonly kind: "place";
  readonly place: "home" | "cwd";
}

interface UnknownPiece {
  readonly kind: "unknown";
  readonly source: string;
}

export type WordPiece = TextPiece | PlacePiece | UnknownPiece;

/** One argument as the program would receive it; no pieces means the empty string. */
export interface Word {
  readonly pieces: readonly WordPiece[];
}

export const EMPTY: Word = { pieces: [] };

export const plainWord = (text: string): Word => ({
  pieces: text === "" ? [] : [{ kind: "text", text, active: false }],
});

/** Null unless the whole word is text. Active patterns are returned as written. */
export const constantText = (word: Word): string | null =>
  word.pieces.every(({ kind }) => kind === "text") ? leadingText(word) : null;

/** The characters before the first non-text piece distinguish an option from an operand. */
export const leadingText = (word: Word): string => {
  let text = "";
  for (const piece of word.pieces) {
    if (piece.kind !== "text") return text;
    text += piece.text;
  }
  return text;
};

/** The first `count` characters must be text. */
export const dropText = (word: Word, count: number): Word => {
  let left = count;
  const pieces: WordPiece[] = [];
  for (const piece of word.pieces) {
    if (piece.kind !== "text" || left === 0) {
      pieces.push(piece);
      continue;
    }
    const rest = piece.text.slice(left);
    left = Math.max(0, left - piece.text.length);
    if (rest !== "") pieces.push({ ...piece, text: rest });
  }
  return { pieces };
};

/** Returns the word with all text as a pattern, because `find` and git match patterns themselves, even quoted ones. */
export const asPattern = ({ pieces }: Word): Word => ({
  pieces: pieces.map((piece) => (piece.kind === "text" ? { ...piece, active: true } : piece)),
});

/** Characters of text, plus one for any other piece. */
export const wordSize = (word: Word): number =>
  word.pieces.reduce((sum, piece) => sum + (piece.kind === "text" ? piece.text.length : 1), 0);

/** Similar text is joined. */
export const appendPiece = (pieces: WordPiece[], piece: WordPiece): void => {
  const last = pieces.at(-1);
  if (piece.kind === "text" && piece.text === "") return;
  if (last?.kind === "text" && piece.kind === "text" && last.active === piece.active) {
    pieces[pieces.length - 1] = { ...last, text: last.text + piece.text };
  } else pieces.push(piece);
};

/** Joins several words with a separator between them, like `eval` and `echo`. */
export const joinWords = (words: readonly Word[], separator: string): Word => {
  const pieces: WordPiece[] = [];
  for (const [index, word] of words.entries()) {
    if (index > 0) appendPiece(pieces, { kind: "text", text: separator, active: false });
    for (const piece of word.pieces) appendPiece(pieces, piece);
  }
  return { pieces };
};

/**
 * Returns the word as source text for a second reading by a shell (`bash -c`, `eval`). Places and unknown values become
 * expansions again, so the second reading finds the same meaning.
 */
export const scriptText = (word: Word): string => word.pieces.map(pieceText).join("");

const pieceText = (piece: WordPiece): string => {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "place":
      return piece.place === "home" ? "${HOME}" : "${PWD}";
    case "unknown":
      return "${__unknown}";
  }
};

/** Splits a word at white space, like `xargs` splits its input. */
export const splitWord = (word: Word): readonly Word[] => {
  const words: Word[] = [];
  let pieces: WordPiece[] = [];
  const close = (): void => {
    if (pieces.length > 0) words.push({ pieces });
    pieces = [];
  };
  for (const piece of word.pieces) {
    if (piece.kind !== "text") {
      pieces.push(piece);
      continue;
    }
    for (const part of piece.text.split(/(\s+)/)) {
      if (part.trim() !== "") pieces.push({ ...piece, text: part });
      else if (part !== "") close();
    }
  }
  close();
  return words;
};

/**
 * A part of a half-expanded word. An expansion may have several possible results (`ExpansionResult`), and one result may span
 * several words; both are resolved only when a whole word has been read.
 *
 * `break`: a new word starts. `mark`: a word exists here even if it is empty (quotes were seen).
 */
export type WordBit = WordPiece | { readonly kind: "break" } | { readonly kind: "mark" };

/** One possible result of an expansion. */
export type ExpansionResult = readonly WordBit[];

/** Returns the name without its directory, even if the directory is unknown (`$DIR/rm`); null if the name is unknown. */
export const programOf = (word: Word): string | null => {
  const written = constantText(word);
  if (written !== null) return lastName(written);
  const last = word.pieces.at(-1);
  return last?.kind === "text" && last.text.includes("/") ? lastName(last.text) : null;
};

const lastName = (path: string): string | null => path.slice(path.lastIndexOf("/") + 1) || null;
