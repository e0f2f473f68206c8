/** Tools of a language that run a program of the project: `npx rimraf dist`, `poetry run pytest`, `python -m pip`. */
import { tableOf } from "./table.ts";
import { unwrapSimple } from "./wrappers.ts";
import { command, type Inner } from "../shell/command.ts";
import { readOptions } from "../shell/options.ts";
import { constantText, dropText, leadingText, type Word } from "../shell/word.ts";

/** What a runner runs; none for any other program, and for a runner's other subcommands. */
export const unwrapRunner = (program: string, args: readonly Word[]): readonly Inner[] => {
  if (PYTHON.test(program)) return unwrapModule(args);
  const verbs = VERBS.get(program);
  if (verbs === undefined) return [];
  const { operands } = readOptions(args, { short: "C", long: GLOBAL });
  const [verb, ...rest] = operands;
  return verb !== undefined && verbs.includes(constantText(verb) ?? "")
    ? unwrapSimple(rest, { short: program === "npm" ? "pwc" : "npw" })
    : [];
};

const PYTHON = /^(?:python|pypy)[\d.]*$/;

/** Subcommands after which the command stands. */
const VERBS = tableOf<readonly string[]>({
  "npm mise": ["exec", "x"],
  "pnpm yarn bundle": ["exec"],
  bun: ["x"],
  "poetry pipenv pdm uv conda rye": ["run"],
});

const GLOBAL = ["prefix", "dir", "cwd", "directory", "project", "filter", "workspace"];

/** `python -m MODULE ARG…`: the module's name stands for a program. */
const unwrapModule = (args: readonly Word[]): readonly Inner[] => {
  const at = args.findIndex((word) => !/^-[bBdEhiIOPqRsSuvx]+$/.test(leadingText(word)));
  const first = args[at];
  if (first === undefined || !leadingText(first).startsWith("-m")) return [];
  const attached = dropText(first, 2);
  return command(attached.pieces.length > 0 ? [attached, ...args.slice(at + 1)] : args.slice(at + 1));
};
