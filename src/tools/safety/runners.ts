/** Tools of a language that run a program of the project: `npx rimraf dist`, `poetry run pytest`, `python -m pip`. */
import { command, type Inner, script } from "../shell/command.ts";
import { readOptions, valuesOf } from "../shell/options.ts";
import { constantText, dropText, joinWords, leadingText, plainWord, type Word } from "../shell/word.ts";

/** What a runner runs; none for any other program, and for a runner's other subcommands. */
export const unwrapRunner = (program: string, args: readonly Word[]): readonly Inner[] => {
  if (PYTHON.test(program)) return unwrapModule(args);
  const direct = DIRECT.get(program);
  if (direct !== undefined) return unwrapDirect(args, direct);
  const verbs = VERBS.get(program);
  if (verbs === undefined) return [];
  const { operands } = readOptions(args, { short: "C", long: GLOBAL });
  const [verb, ...rest] = operands;
  return verb !== undefined && verbs.includes(constantText(verb) ?? "")
    ? unwrapDirect(rest, program === "npm" ? CALLING : PLAIN)
    : [];
};

const PYTHON = /^(?:python|pypy)[\d.]*$/;

interface Direct {
  readonly short: string;
  readonly long: readonly string[];
  /** Operands before the command. */
  readonly skip: number;
  /** `-c` and `--call` take a script. */
  readonly calls: boolean;
}

const PLAIN: Direct = {
  short: "npw",
  long: ["package", "with", "python", "name", "prefix", "workspace"],
  skip: 0,
  calls: false,
};

const CALLING: Direct = { ...PLAIN, short: "pw", calls: true };

/** Programs whose first operands are the command. */
const DIRECT: ReadonlyMap<string, Direct> = new Map([
  ["npx", CALLING],
  ["bunx", PLAIN],
  ["dotenv", { ...PLAIN, short: "efv" }],
  ["direnv", { ...PLAIN, skip: 2 }],
  ["cross-env", PLAIN],
  ["nodemon", { ...PLAIN, short: "wei", calls: true }],
]);

/** Subcommands after which the command stands. */
const VERBS: ReadonlyMap<string, readonly string[]> = new Map(
  "npm:exec,x pnpm:exec yarn:exec bun:x poetry:run pipenv:run pdm:run uv:run conda:run bundle:exec mise:exec,x rye:run"
    .split(" ")
    .map((entry) => {
      const [program = "", verbs = ""] = entry.split(":");
      return [program, verbs.split(",")];
    }),
);

const GLOBAL = ["prefix", "dir", "cwd", "directory", "project", "filter", "workspace"];

const unwrapDirect = (args: readonly Word[], rule: Direct): readonly Inner[] => {
  const short = rule.calls ? `${rule.short}c` : rule.short;
  const long = rule.calls ? [...rule.long, "call", "exec"] : rule.long;
  const { options, operands } = readOptions(args, { short, long });
  const calls = rule.calls ? valuesOf(options, ["c", "call", "exec"]).flatMap((value) => script(value)) : [];
  const [first, ...rest] = operands.slice(rule.skip);
  if (first === undefined) return calls;
  const versioned = /^(.[^@]*)@/.exec(leadingText(first))?.[1];
  const name = versioned === undefined ? first : plainWord(versioned);
  return [...calls, ...command([name, ...rest])];
};

/** `python -m MODULE ARG…`: the module's name stands for a program. */
const unwrapModule = (args: readonly Word[]): readonly Inner[] => {
  const at = args.findIndex((word) => !/^-[bBdEhiIOPqRsSuvx]+$/.test(leadingText(word)));
  const first = args[at];
  if (first === undefined || !leadingText(first).startsWith("-m")) return [];
  const attached = dropText(first, 2);
  return command(attached.pieces.length > 0 ? [attached, ...args.slice(at + 1)] : args.slice(at + 1));
};

/** `ssh HOST COMMAND…`: another machine's shell reads the joined words. */
export const unwrapSsh = (args: readonly Word[]): readonly Inner[] => {
  const { operands } = readOptions(args, { short: "BbcDEeFIiJLlmOoPpRSWw" });
  return operands.length < 2 ? [] : script(joinWords(operands.slice(1), " "));
};
