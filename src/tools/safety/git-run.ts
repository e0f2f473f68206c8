/** `git` as far as every judge needs it: options before the subcommand, and commands that it runs. */
import { type Option, readOptions } from "./options.ts";
import { constantText, dropText, joinWords, leadingText, plainWord, type Word } from "./word.ts";

interface GitCall {
  readonly subcommand: string;
  readonly args: readonly Word[];
  /** Options before the subcommand, as in `git -C dir add`. */
  readonly globals: readonly Option[];
}

const GLOBALS = {
  short: "Cc",
  long: ["git-dir", "work-tree", "namespace", "super-prefix", "config-env", "attr-source", "list-cmds"],
  permute: false,
};

const INERT: ReadonlySet<string> = new Set(["h", "v", "help", "version"]);

/** Reads git's own options; null when it runs no subcommand that the text tells (`git --help add`). */
export const readGit = (args: readonly Word[]): GitCall | null => {
  const { options, operands } = readOptions(args, GLOBALS);
  if (options.some(({ name }) => INERT.has(name))) return null;
  const [first, ...rest] = operands;
  const subcommand = first === undefined ? null : constantText(first);
  return subcommand === null ? null : { subcommand, args: rest, globals: options };
};

/** The scripts behind an alias given on the line (`-c alias.x='push --force'`) and `submodule foreach`. */
export const unwrapGit = (args: readonly Word[]): readonly Word[] => {
  const call = readGit(args);
  if (call === null) return [];
  if (call.subcommand === "submodule") {
    const words = call.args.filter((word) => !leadingText(word).startsWith("-"));
    return words[0] !== undefined && constantText(words[0]) === "foreach"
      ? [joinWords(words.slice(1), " ")]
      : [];
  }
  const prefix = `alias.${call.subcommand}=`;
  return call.globals.flatMap(({ name, value }): readonly Word[] => {
    const text = value === null ? null : constantText(value);
    if (name !== "c" || value === null || text?.startsWith(prefix) !== true) return [];
    const shell = text.startsWith(`${prefix}!`);
    const body = dropText(value, prefix.length + (shell ? 1 : 0));
    return [joinWords([...(shell ? [] : [plainWord("git")]), body, ...call.args], " ")];
  });
};
