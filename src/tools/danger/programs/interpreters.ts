/** Programs that run code: where each finds it among its arguments. */
import { hasFlag, readOptions, valuesOf } from "../../shell/options.ts";
import { readShellArguments, SHELLS } from "../../safety/unwrap.ts";
import { constantText, type Word } from "../../shell/word.ts";
import type { Language } from "./inline.ts";

export interface Running {
  readonly language: Language | "shell";
  /** Code that stands in the arguments. */
  readonly code: readonly Word[];
  /** The file with the code. */
  readonly file: Word | null;
  /** It reads its code from standard input. */
  readonly stdin: boolean;
}

/** How a program runs code with these arguments; null when it runs none: another program, or only a question. */
export const readRunning = (program: string, args: readonly Word[]): Running | null => {
  if (SHELLS.has(program)) return readShell(args);
  if (program === "source" || program === ".") {
    const [first] = args;
    const isInput = first !== undefined && constantText(first) === "/dev/stdin";
    return { language: "shell", code: [], file: isInput ? null : (first ?? null), stdin: isInput };
  }
  const found = INTERPRETERS.find(({ name }) => name.test(program));
  return found === undefined ? null : readInterpreter(found, args);
};

const readShell = (args: readonly Word[]): Running | null => {
  const { options, operands, isScript, stdin } = readShellArguments(args);
  if (hasFlag(options, "n") || options.some(({ name }) => name === "version" || name === "help")) return null;
  const [first = null] = operands;
  if (isScript) return { language: "shell", code: first === null ? [] : [first], file: null, stdin: false };
  return { language: "shell", code: [], file: stdin ? null : first, stdin };
};

interface Interpreter {
  readonly name: RegExp;
  readonly language: Language;
  /** Options that carry code. */
  readonly code: readonly string[];
  /** Other short options that take a value. */
  readonly short: string;
  readonly long: readonly string[];
  /** With one of these it runs something else than code (`-m`), or nothing (`--version`, `-c` of ruby). */
  readonly otherwise: readonly string[];
  /** A subcommand that carries code. */
  readonly verb?: string;
}

const interpreter = (
  name: RegExp,
  language: Language,
  code: string,
  short: string,
  otherwise: string,
  more: { readonly long?: string; readonly verb?: string } = {},
): Interpreter => ({
  name,
  language,
  code: code.split(" "),
  short,
  long: more.long?.split(" ") ?? [],
  otherwise: otherwise.split(" "),
  ...(more.verb === undefined ? {} : { verb: more.verb }),
});

const NODE = "require import loader experimental-loader input-type test-name-pattern env-file";

const INTERPRETERS: readonly Interpreter[] = [
  interpreter(/^(?:python|pypy)[\d.]*$/, "python", "c", "mWX", "m V version help h"),
  interpreter(
    /^(?:node|nodejs|tsx|ts-node)$/,
    "node",
    "e eval p print pe",
    "rC",
    "v version help h check c test",
    {
      long: NODE,
    },
  ),
  interpreter(/^bun$/, "node", "e eval p print", "", "version v"),
  interpreter(/^deno$/, "node", "", "", "version V", { verb: "eval" }),
  interpreter(/^perl[\d.]*$/, "perl", "e E", "IMmFxD", "v V c"),
  interpreter(/^ruby[\d.]*$/, "ruby", "e", "rICEx", "v version c"),
  interpreter(/^php[\d.]*$/, "php", "r run R B E", "dfcztS", "v version l i m S"),
  interpreter(/^(?:lua|luajit)[\d.]*$/, "lua", "e", "l", "v"),
  interpreter(
    /^(?:Rscript|R|julia|expect|osascript|groovy|scala|guile|racket|elixir|clojure)$/,
    "other",
    "e eval E c",
    "",
    "version v help",
  ),
];

const readInterpreter = (found: Interpreter, args: readonly Word[]): Running | null => {
  const { language, code, verb } = found;
  const shortCode = code.filter((name) => name.length === 1).join("");
  const longCode = code.filter((name) => name.length > 1);
  const { options, operands } = readOptions(args, {
    short: found.short + shortCode,
    long: [...found.long, ...longCode],
    permute: false,
  });
  const codes = valuesOf(options, code);
  if (codes.length > 0) return { language, code: codes, file: null, stdin: false };
  const [first = null] = operands;
  if (verb !== undefined && first !== null && constantText(first) === verb) {
    return { language, code: operands.slice(1, 2), file: null, stdin: false };
  }
  if (options.some(({ name }) => found.otherwise.includes(name))) return null;
  const stdin = first === null || ["-", "/dev/stdin"].includes(constantText(first) ?? "");
  return { language, code: [], file: stdin ? null : first, stdin };
};
