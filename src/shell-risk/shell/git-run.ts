/** The parts of `git` that every judge needs: options before the subcommand, and commands that git runs. */
import { command, type InnerCommand, script } from "./command.ts";
import { type ParsedOption, readOptions, valuesOf } from "./options.ts";
import { constantText, dropText, joinWords, plainWord, type Word } from "./word.ts";

interface GitCall {
  readonly subcommand: string;
  readonly args: readonly Word[];
  /** Options before the subcommand, as in `git -C dir add`. */
  readonly globals: readonly ParsedOption[];
}

const GLOBALS = {
  short: "Cc",
  long: ["git-dir", "work-tree", "namespace", "super-prefix", "config-env", "attr-source", "list-cmds"],
};

const INERT: ReadonlySet<string> = new Set(["h", "v", "help", "version"]);

/** Null if no known subcommand runs (`git --help add`). */
export const readGit = (args: readonly Word[]): GitCall | null => {
  const { options, operands } = readOptions(args, GLOBALS);
  if (options.some(({ name }) => INERT.has(name))) return null;
  const [first, ...rest] = operands;
  const subcommand = first === undefined ? null : constantText(first);
  return subcommand === null ? null : { subcommand, args: rest, globals: options };
};

/**
 * Commands that git runs: an alias on the command line (`-c alias.x=push`), `submodule foreach`, `bisect run`, `rebase --exec`.
 */
export const unwrapGit = (args: readonly Word[]): readonly InnerCommand[] => {
  const call = readGit(args);
  if (call === null) return [];
  const { options, operands } = readOptions(call.args, REBASE);
  const [verb, ...rest] = operands;
  const action = verb === undefined ? "" : constantText(verb);
  switch (call.subcommand) {
    case "submodule":
      return action === "foreach" ? script(joinWords(readOptions(rest).operands, " ")) : [];
    case "bisect":
      return action === "run" ? command(rest) : [];
    case "rebase":
      return valuesOf(options, ["x", "exec"]).flatMap((value) => script(value));
    default:
      return aliased(call);
  }
};

/** Options up to the first operand, because a command with separate options may follow. */
const REBASE = { short: "xsXC", long: ["exec", "onto", "strategy", "strategy-option"] };

const aliased = ({ subcommand, args, globals }: GitCall): readonly InnerCommand[] => {
  const prefix = `alias.${subcommand}=`;
  return globals.flatMap(({ name, value }): readonly InnerCommand[] => {
    const text = value === null ? null : constantText(value);
    if (name !== "c" || value === null || text?.startsWith(prefix) !== true) return [];
    const shell = text.startsWith(`${prefix}!`);
    const body = dropText(value, prefix.length + (shell ? 1 : 0));
    return script(joinWords([...(shell ? [] : [plainWord("git")]), body, ...args], " "));
  });
};
