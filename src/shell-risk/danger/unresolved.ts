import type { WordPiece, Word } from "../shell/word.ts";

/** A place (`$HOME`) is known. */
export const isUnresolved = (word: Word): boolean => word.pieces.some(isOpaque);

const isOpaque = (piece: WordPiece): boolean => piece.kind === "unknown" && !HARMLESS.test(piece.source);

/**
 * The default in `${X:-default}` is read in addition to the unknown value. A command's own arguments are empty, and a
 * function's arguments are read at its calls.
 */
const HARMLESS = /^(?:\$\{\w+:?[-=]|\$\{?[@*#\d])/;

/** Whether the unknown value cannot be a command: numbers, dates, temporary names. */
export const isHarmlessUnknown = (word: Word): boolean =>
  word.pieces.every(
    (piece) => piece.kind !== "unknown" || HARMLESS.test(piece.source) || TAME.test(piece.source),
  );

const TAME =
  /^(?:\$\(\(|\$\[|\$\{?(?:[?$!#]|RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|TMPDIR|PWD|OLDPWD|HOSTNAME)\}?$|(?:\$\(|`)\s*(?:mktemp|date|nproc|whoami|hostname|uname|id|pwd|basename|dirname|git rev-parse|wc)\b[^|;&`]*[)`]$)/;
