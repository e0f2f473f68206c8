/** The paths whose recursive, forced deletion BASH-007 refuses. */
import type { SimpleCommand } from "../shell/command.ts";
import { matchesAll, matchesGlob } from "../shell/glob.ts";
import { abbreviates, hasFlag, readOptions } from "../shell/options.ts";
import { type Component, isPlain, type Path, readPath, resolvePath } from "../shell/path.ts";

/**
 * Whether a path is critical as it is written:
 * - anything that starts in a home directory (`~`, `$HOME`), as in the original list;
 * - `/`, the current directory, its parents, and everything in one of them (`*`, `./*`, `../*`, `/*`);
 * - `.git` and what a pattern makes of it (`.*`, `.g*`, `.[!.]*`), anywhere; and all of its contents;
 * - a top-level system directory or a home directory by its path, or everything in it.
 * `dist/*`, `/tmp/*` and `"$DIR"/*` are not: only bare wildcards are refused.
 */
const isCritical = (path: Path): boolean => path.root === "home" || isCriticalPlace(path);

/** The same for a path that a preceding `cd` leads to: there, only a home itself or all of it counts. */
const isCriticalPlace = (path: Path): boolean => {
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

/** What `/bin`, `/lib`, … link to where they are merged into `/usr`. */
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

/** Whether a command deletes critical data. `cwd`: where an earlier `cd` went, if the script says. */
export const deletesCritical = (command: SimpleCommand, cwd: Path | null): boolean => {
  if (command.program !== "rm") return false;
  const { options, operands } = readOptions(command.args, RM);
  const recursive = hasFlag(options, "rR") || options.some((option) => abbreviates(option, "recursive", 1));
  const force = hasFlag(options, "f") || options.some((option) => abbreviates(option, "force", 1));
  if (!recursive || !force) return false;
  return operands.some((word) => {
    const path = readPath(word);
    if (path === null) return false;
    return (
      isCritical(path) || (cwd !== null && path.root === "cwd" && isCriticalPlace(resolvePath(cwd, path)))
    );
  });
};
