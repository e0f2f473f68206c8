import { hasFlag, readOptions, valuesOf } from "../shell/options.ts";
import { readShellArguments, SHELLS } from "../shell/unwrap.ts";
import { constantText, type Word } from "../shell/word.ts";
import type { ScriptLanguage } from "./inline.ts";

export interface InterpreterRun {
  readonly language: ScriptLanguage | "shell";
  readonly code: readonly Word[];
  readonly file: Word | null;
  readonly stdin: boolean;
}

/** Null if the program runs no code with these arguments, because it is no interpreter or only prints information. */
export const readRunning = (program: string, args: readonly Word[]): InterpreterRun | null => {
  if (SHELLS.has(program)) return readShell(args);
  if (program === "source" || program === ".") {
    const [first] = args;
    const isInput = first !== undefined && constantText(first) === "/dev/stdin";
    return { language: "shell", code: [], file: isInput ? null : (first ?? null), stdin: isInput };
  }
  const found = interpreterOf(program);
  return found === undefined ? null : readInterpreter(program, found, args);
};

export const languageOf = (program: string): ScriptLanguage | undefined => interpreterOf(program)?.[1];

const interpreterOf = (program: string): Interpreter | undefined =>
  INTERPRETERS.find(([name]) => name.test(program));

const readShell = (args: readonly Word[]): InterpreterRun | null => {
  const { options, operands, isScript, stdin } = readShellArguments(args);
  if (hasFlag(options, "n") || options.some(({ name }) => name === "version" || name === "help")) return null;
  const [first = null] = operands;
  if (isScript) return { language: "shell", code: first === null ? [] : [first], file: null, stdin: false };
  return { language: "shell", code: [], file: stdin ? null : first, stdin };
};

/** Options of an interpreter: options with code, other short options with a value, and options that run no code. */
type Interpreter = readonly [
  name: RegExp,
  language: ScriptLanguage,
  code: string,
  short: string,
  otherwise: string,
];

const INTERPRETERS: readonly Interpreter[] = [
  [/^(?:python|pypy)[\d.]*$/, "python", "c", "mWX", "m V version help h"],
  [/^(?:node|nodejs|tsx|ts-node)$/, "node", "e eval p print pe", "rC", "v version help h check c test"],
  [/^bun$/, "node", "e eval p print", "", "version v"],
  [/^deno$/, "node", "", "", "version V"],
  [/^perl[\d.]*$/, "script", "e E", "IMmFxD", "v V c"],
  [/^ruby[\d.]*$/, "script", "e", "rICEx", "v version c"],
  [/^php[\d.]*$/, "script", "r run R B E", "dfcztS", "v version l i m S"],
  [/^(?:lua|luajit)[\d.]*$/, "script", "e", "l", "v"],
  [
    /^(?:Rscript|R|julia|expect|osascript|groovy|scala|guile|racket|elixir|clojure)$/,
    "other",
    "e eval E c",
    "",
    "version v help",
  ],
];

/** Long options with a value, which only Node has. */
const LONG = "require import loader experimental-loader input-type test-name-pattern env-file".split(" ");

const readInterpreter = (
  program: string,
  [, language, code, short, otherwise]: Interpreter,
  args: readonly Word[],
): InterpreterRun | null => {
  const carrying = code.split(" ");
  const { options, operands } = readOptions(args, {
    short: short + carrying.filter((name) => name.length === 1).join(""),
    long: [...LONG, ...carrying],
  });
  const codes = valuesOf(options, carrying);
  if (codes.length > 0) return { language, code: codes, file: null, stdin: false };
  const [first = null] = operands;
  if (program === "deno" && first !== null && constantText(first) === "eval") {
    return { language, code: operands.slice(1, 2), file: null, stdin: false };
  }
  if (options.some(({ name }) => otherwise.split(" ").includes(name))) return null;
  const stdin = first === null || ["-", "/dev/stdin"].includes(constantText(first) ?? "");
  return { language, code: [], file: stdin ? null : first, stdin };
};
