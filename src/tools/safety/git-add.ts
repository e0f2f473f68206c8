/** BASH-007: `git add` of everything at once. */
import { matchesAll } from "../shell/glob.ts";
import { readGit } from "./git-run.ts";
import { abbreviates, hasFlag, readOptions } from "../shell/options.ts";
import { readPath } from "../shell/path.ts";
import { dropText, leadingText, type Piece, type Word } from "../shell/word.ts";

const ADD = { short: "", long: ["chmod", "pathspec-from-file"], permute: true };

/**
 * Whether git arguments add blindly: `-A`, `--all` (and `--no-ignore-removal`, its other name), or a
 * pathspec that is a whole directory level: `.`, `..`, `*` (git expands a quoted one itself), the current
 * directory, and the top of the tree (`:/`, `:(top)`, `:`). Only exclusions (`:!x`) mean all the rest.
 * As in the original list any such argument counts, whatever stands beside it (`-n`, `-p`, `-u`, `-A src/`);
 * `-u` alone, `src/*` and `*.ts` name what they add.
 */
export const addsBlindly = (args: readonly Word[]): boolean => {
  const call = readGit(args);
  if (call === null || (call.subcommand !== "add" && call.subcommand !== "stage")) return false;
  const { options, operands } = readOptions(call.args, ADD);
  if (hasFlag(options, "A")) return true;
  if (options.some((each) => abbreviates(each, "all", 1) || abbreviates(each, "no-ignore-removal", 11)))
    return true;
  const included = operands.filter((word) => !EXCLUSION.test(leadingText(word)));
  return included.some(isBlind) || (operands.length > 0 && included.length === 0);
};

const EXCLUSION = /^:(?:[!^]|\([^)]*exclude)/;

/** A pathspec's magic: `:/`, `:(top)`, `:(glob,top)`, or a lone `:`. */
const MAGIC = /^:(?:\([^)]*\)|\/|$)/;

const isBlind = (word: Word): boolean => {
  const magic = MAGIC.exec(leadingText(word))?.[0] ?? "";
  const rest = dropText(word, magic.length);
  if (rest.pieces.length === 0) return magic !== "";
  const path = readPath({ pieces: rest.pieces.map(asPattern) });
  return (
    path?.root === "cwd" && path.components.every(({ pattern, unknown }) => !unknown && matchesAll(pattern))
  );
};

const asPattern = (piece: Piece): Piece => (piece.kind === "text" ? { ...piece, active: true } : piece);
