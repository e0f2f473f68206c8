/** Tools of a language that run a program of the project: `npx rimraf dist`, `poetry run pytest`, `python -m pip`. */
import { unwrapSimple } from "./wrappers.ts";
import { command, type Inner } from "./command.ts";
import { readOptions } from "./options.ts";
import { constantText, dropText, EMPTY, leadingText, type Word } from "./word.ts";

/** The command after a subcommand that runs one; none after any other. */
export const afterVerb =
  (verbs: string, short = "npw") =>
  (args: readonly Word[]): readonly Inner[] => {
    const [verb = EMPTY, ...rest] = readOptions(args, { short: "C", long: GLOBAL }).operands;
    return verbs.split(" ").includes(constantText(verb) ?? "-") ? unwrapSimple(rest, { short }) : [];
  };

const GLOBAL = ["prefix", "dir", "cwd", "directory", "project", "filter", "workspace"];

/** `python -m MODULE ARG…`: the module's name stands for a program. */
export const unwrapModule = (args: readonly Word[]): readonly Inner[] => {
  const at = args.findIndex((word) => !/^-[bBdEhiIOPqRsSuvx]+$/.test(leadingText(word)));
  const first = args[at];
  if (first === undefined || !leadingText(first).startsWith("-m")) return [];
  const attached = dropText(first, 2);
  return command(attached.pieces.length > 0 ? [attached, ...args.slice(at + 1)] : args.slice(at + 1));
};
