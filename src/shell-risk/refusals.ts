/**
 * BASH-007: the three commands that are refused before anything runs, in every mode.
 *
 * A courtesy instead of a security boundary: a refusal prevents accidents and tells the model what to do instead. The kernel
 * enforces which files a command may change.
 */
import { readGit } from "./shell/git-run.ts";
import type { SimpleCommand } from "./shell/command.ts";
import { matchesAll, matchesGlob } from "./shell/glob.ts";
import { abbreviates, hasFlag, type ParsedOption, readOptions } from "./shell/options.ts";
import { readPath, type Component, isPlain, type Path } from "./shell/path.ts";
import type { ParsedScript } from "./shell/shell.ts";
import { asPattern, dropText, leadingText, type Word } from "./shell/word.ts";

export const BLIND_ADD =
  "permission denied: blind git add commands (git add -A, git add ., git add --all, git add *) are not allowed, specify files explicitly";

export const FORCE_PUSH =
  "permission denied: git push --force is not allowed. Use --force-with-lease for safer force pushes, or push without force";

export const CRITICAL_RM =
  "permission denied: this rm command could delete critical data (.git, home directory, or root). Specify the full path explicitly (no wildcards, ~, or $HOME)";

/** The first refusal in a script, or null. Unparseable scripts are judged by their readable part. */
export const refuse = (script: ParsedScript): string | null => {
  for (const command of script.steps) {
    if (command.kind === "redirect") continue;
    const refusal = refuseCommand(command);
    if (refusal !== null) return refusal;
  }
  return null;
};

const refuseCommand = (command: SimpleCommand): string | null => {
  if (command.program === "git" && addsBlindly(command.args)) return BLIND_ADD;
  if (command.program === "git" && pushesByForce(command.args)) return FORCE_PUSH;
  return deletesCritical(command) ? CRITICAL_RM : null;
};

const PUSH = {
  short: "o",
  long: ["repo", "receive-pack", "exec", "push-option", "recurse-submodules"],
  permute: true,
};

/**
 * Whether git arguments push by force: `--force` or `-f` in any cluster, a refspec that begins with `+`, or `--mirror`.
 * `--force-with-lease` and `--force-if-includes` alone do not; a later `--no-force` cancels `--force`.
 */
const pushesByForce = (args: readonly Word[]): boolean => {
  const call = readGit(args);
  if (call === null || call.subcommand !== "push") return false;
  const { options, operands } = readOptions(call.args, PUSH);
  const last = options.findLast((option) => isForce(option) || isNoForce(option));
  if (last !== undefined && isForce(last)) return true;
  if (options.some((option) => abbreviates(option, "mirror", 1))) return true;
  return operands.some((word) => leadingText(word).startsWith("+"));
};

const isForce = ({ name, long }: ParsedOption): boolean => (long ? name === "force" : name === "f");

const isNoForce = ({ name, long }: ParsedOption): boolean => long && name === "no-force";

const ADD = { short: "", long: ["chmod", "pathspec-from-file"], permute: true };

/**
 * Whether git arguments add blindly: `-A`, `--all` (and its other name `--no-ignore-removal`), or a pathspec for a whole
 * directory level. Such pathspecs are `.`, `..`, `*` (git expands a quoted one itself), the current directory, and the top of
 * the tree (`:/`, `:(top)`, `:`). Exclusions alone (`:!x`) include everything else. As in the original list, any such argument
 * counts regardless of other options (`-n`, `-p`, `-u`, `-A src/`). `-u` alone, `src/*` and `*.ts` name the added files.
 */
const addsBlindly = (args: readonly Word[]): boolean => {
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
  const path = readPath(asPattern(rest));
  return (
    path?.root === "cwd" && path.components.every(({ pattern, unknown }) => !unknown && matchesAll(pattern))
  );
};

/**
 * Whether a path is critical as written:
 * - any path that starts in a home directory (`~`, `$HOME`), as in the original list;
 * - `/`, the current directory, its parents, and everything in one of them (`*`, `./*`, `../*`, `/*`);
 * - `.git` and patterns that match it (`.*`, `.g*`, `.[!.]*`), anywhere, and all of its contents;
 * - a top-level system directory or a home directory by its path, or everything in it.
 * `dist/*`, `/tmp/*` and `"$DIR"/*` are not critical: only bare wildcards are refused.
 */
const isCritical = (path: Path): boolean => {
  if (path.root === "home") return true;
  const last = path.components.at(-1);
  if (last !== undefined && isGit(last)) return true;
  const holder = path.components.at(-2);
  if (last !== undefined && holder !== undefined && isAll(last) && isGit(holder)) return true;
  if (path.root === "unknown") return false;
  const named = path.components.slice(0, lastNamed(path.components) + 1);
  if (named.length === 0) return true;
  if (path.root !== "absolute") return false;
  return named.length === path.components.length ? isSystem(named) : isSystem(named) && !isTemporary(named);
};

/** Index of the last component that is not a bare wildcard; -1 if all are. */
const lastNamed = (components: readonly Component[]): number =>
  components.findLastIndex((component) => !isAll(component));

const isAll = ({ pattern, unknown }: Component): boolean => !unknown && matchesAll(pattern);

const isGit = ({ pattern, unknown }: Component): boolean => !unknown && matchesGlob(pattern, ".git");

const SYSTEM =
  "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr var".split(
    " ",
  );

/** Directories below `/usr` that `/bin`, `/lib`, … may link to. */
const UNDER_USR = ["bin", "lib", "lib32", "lib64", "sbin"];

const isSystem = (components: readonly Component[]): boolean => {
  const [first, second, third] = components;
  if (first === undefined || first.unknown) return false;
  if (second === undefined) return SYSTEM.some((name) => matchesGlob(first.pattern, name));
  if (third !== undefined) return false;
  if (first.pattern === "home") return !second.unknown;
  return first.pattern === "usr" && UNDER_USR.some((name) => matchesGlob(second.pattern, name));
};

const isTemporary = (components: readonly Component[]): boolean =>
  components.every(isPlain) && components.length === 1 && components[0]?.pattern === "tmp";

const RM = { permute: true };

const deletesCritical = (command: SimpleCommand): boolean => {
  if (command.program !== "rm") return false;
  const { options, operands } = readOptions(command.args, RM);
  const recursive = hasFlag(options, "rR") || options.some((option) => abbreviates(option, "recursive", 1));
  const force = hasFlag(options, "f") || options.some((option) => abbreviates(option, "force", 1));
  if (!recursive || !force) return false;
  return operands.some((word) => {
    const path = readPath(word);
    return path !== null && isCritical(path);
  });
};
