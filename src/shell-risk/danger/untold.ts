/** Words whose value the text does not tell, and the few of those that cannot matter. */
import type { WordPiece, Word } from "../shell/word.ts";

/** Whether any part of a word is not told. A place (`$HOME`) is told. */
export const isUnresolved = (word: Word): boolean => word.pieces.some(isOpaque);

const isOpaque = (piece: WordPiece): boolean => piece.kind === "unknown" && !HARMLESS.test(piece.source);

/**
 * `${X:-default}` is read as its default beside the unknown; a command's own arguments are nothing, and a function's
 * are read where it is called.
 */
const HARMLESS = /^(?:\$\{\w+:?[-=]|\$\{?[@*#\d])/;

/** Whether what is not told cannot be a command: numbers, dates, temporary names. */
export const isHarmlessUnknown = (word: Word): boolean =>
  word.pieces.every(
    (piece) => piece.kind !== "unknown" || HARMLESS.test(piece.source) || TAME.test(piece.source),
  );

const TAME =
  /^(?:\$\(\(|\$\[|\$\{?(?:[?$!#]|RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|TMPDIR|PWD|OLDPWD|HOSTNAME)\}?$|(?:\$\(|`)\s*(?:mktemp|date|nproc|whoami|hostname|uname|id|pwd|basename|dirname|git rev-parse|wc)\b[^|;&`]*[)`]$)/;
