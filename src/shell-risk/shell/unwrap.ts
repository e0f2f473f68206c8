/** Sees through commands that run other commands: one layer at a time, as data, without parsing. */
import { command, type InnerCommand, script, type SimpleCommand } from "./command.ts";
import { escapes, isTameCommand } from "./escapes.ts";
import { unwrapFind } from "./find.ts";
import { unwrapGit } from "./git-run.ts";
import { type Arguments, hasFlag, readOptions } from "./options.ts";
import { unwrapTail } from "./tail.ts";
import { tableOf } from "./table.ts";
import {
  constantText,
  dropText,
  EMPTY,
  joinWords,
  leadingText,
  plainWord,
  splitWord,
  type Word,
} from "./word.ts";
import { splitAssignments, unwrapSimple, WRAPPERS, commandOf } from "./wrappers.ts";

export const unwrapCommand = (command: SimpleCommand): readonly InnerCommand[] => {
  const { program, args, assignments } = command;
  if (program === null) return [];
  const hidden = escapes(program, args, assignments).filter((word) => !isTameCommand(word));
  const own = unwrapKnown(program, args, command.stdin);
  const all = [...hidden.flatMap((word) => script(word)), ...own];
  return own.length === 0 && !WRAPPERS.has(program) ? [...all, ...unwrapTail(program, args)] : all;
};

const unwrapKnown = (program: string, args: readonly Word[], stdin: Word | null): readonly InnerCommand[] => {
  const simple = WRAPPERS.get(program);
  if (program === "command" && args[0] !== undefined && /^-p?[vV]/.test(leadingText(args[0]))) return [];
  if (simple !== undefined) return unwrapSimple(args, simple);
  if (SHELLS.has(program)) return unwrapShell(args, stdin);
  if (PYTHON.test(program)) return unwrapModule(args);
  return OTHERS.get(program)?.(args, stdin) ?? [];
};

const PYTHON = /^(?:python|pypy)[\d.]*$/;

export const SHELLS: ReadonlySet<string> = new Set(
  "bash sh dash zsh ksh ash rbash mksh yash fish csh tcsh elvish nu xonsh osh".split(" "),
);

/** `-S STRING ARG…` is a separate command line: the string is split, and the arguments follow the string. */
const unwrapEnv = (args: readonly Word[]): readonly InnerCommand[] => {
  const at = args.findIndex((word) => !leadingText(word).startsWith("-") || SPLIT.test(leadingText(word)));
  const split = args[at];
  const mark = split === undefined ? "" : (SPLIT.exec(leadingText(split))?.[0] ?? "");
  if (split !== undefined && mark !== "") {
    return script(joinWords([plainWord("env"), dropText(split, mark.length), ...args.slice(at + 1)], " "));
  }
  const { operands } = readOptions(args, ENV);
  const dash = operands[0] !== undefined && constantText(operands[0]) === "-";
  const { assignments, rest } = splitAssignments(dash ? operands.slice(1) : operands);
  return command(rest, assignments);
};

const SPLIT = /^(?:-[0iv]*S|--split-string=?)/;

const ENV = { short: "uCa", long: ["unset", "chdir", "argv0"] };

/** `-c` takes the first operand. Without `-c` and without a file, a shell reads its standard input. */
const unwrapShell = (args: readonly Word[], input: Word | null): readonly InnerCommand[] => {
  const { operands, isScript, stdin } = readShellArguments(args);
  const [first, ...rest] = operands;
  if (isScript) return first === undefined ? [] : script(first, rest.length === 0 ? NO_ARGUMENTS : rest);
  return stdin && input !== null ? script(input, [plainWord("bash"), ...operands]) : [];
};

/**
 * Returns a shell's options and operands, whether the first operand is its script, and whether the shell reads standard input.
 */
export const readShellArguments = (
  args: readonly Word[],
): Arguments & { readonly isScript: boolean; readonly stdin: boolean } => {
  // `+e` switches an option off.
  const { options, operands } = readOptions(
    args.filter((word) => !/^\+[A-Za-z]+$/.test(leadingText(word))),
    SHELL,
  );
  const [first] = operands;
  const isScript = hasFlag(options, "c");
  const name = first === undefined ? "-" : (constantText(first) ?? "");
  const stdin = !isScript && (hasFlag(options, "s") || STANDARD_INPUT.has(name));
  return { options, operands, isScript, stdin };
};

const STANDARD_INPUT: ReadonlySet<string> = new Set(["-", "/dev/stdin", "/proc/self/fd/0"]);

/** A shell without arguments has only its own name. */
const NO_ARGUMENTS: readonly Word[] = [plainWord("bash")];

const SHELL = { short: "oO", long: ["rcfile", "init-file"] };

const unwrapTrap = (args: readonly Word[]): readonly InnerCommand[] => {
  const [action] = readOptions(args).operands;
  return action === undefined ? [] : script(action);
};

const XARGS = {
  short: "aEIJLnPsdR",
  long: ["arg-file", "delimiter", "max-args", "max-chars", "max-procs", "process-slot-var"],
};

/** Returns the command of an `xargs` and the mark that its items replace; without a mark, the items follow the command. */
export const readXargs = (
  args: readonly Word[],
): { readonly words: readonly Word[]; readonly mark: string | null } => {
  const { options, operands } = readOptions(args, XARGS);
  const replace = options.find(
    ({ name, long }) => (!long && (name === "I" || name === "i")) || name === "replace",
  );
  return {
    words: operands,
    mark: replace === undefined ? null : (constantText(replace.value ?? MARK) ?? "{}"),
  };
};

const MARK = plainWord("{}");

const unwrapXargs = (args: readonly Word[], stdin: Word | null): readonly InnerCommand[] => {
  const { words, mark } = readXargs(args);
  const items = stdin === null ? [] : splitWord(stdin);
  return command(mark === null ? [...words, ...items] : fill(words, mark, items));
};

const MAX_ITEMS = 64;

const fill = (words: readonly Word[], mark: string, items: readonly Word[]): readonly Word[] =>
  items.length === 0
    ? words
    : words.flatMap((word) => (constantText(word) === mark ? items.slice(0, MAX_ITEMS) : [word]));

export const PARALLEL = {
  short: "jaNnLlIdEPsSX",
  long: "jobs arg-file max-args delay timeout joblog results colsep retries delimiter tmpdir workdir".split(
    " ",
  ),
};

const unwrapParallel = (args: readonly Word[], stdin: Word | null): readonly InnerCommand[] => {
  const { operands } = readOptions(args, PARALLEL);
  const at = operands.findIndex((word) => /^:::[:+]?\+?$/.test(constantText(word) ?? ""));
  const words = at === -1 ? operands : operands.slice(0, at);
  const items = at === -1 ? (stdin === null ? [] : splitWord(stdin)) : operands.slice(at + 1);
  if (words.length === 0) return items.flatMap((item) => script(item));
  const marked = words.some((word) => constantText(word) === "{}");
  return script(joinWords(marked ? fill(words, "{}", items) : [...words, ...items], " "));
};

const WATCH = { short: "nqs", long: ["interval", "equexit"] };

/** `fd … -x COMMAND…` runs the command with its results. */
const unwrapFd = (args: readonly Word[]): readonly InnerCommand[] => {
  const at = args.findIndex((word) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(constantText(word) ?? ""));
  return at === -1 ? [] : command([...args.slice(at + 1), plainWord("{}")]);
};

/** `tmux`: commands that run in a terminal, and commands that are typed into a terminal. */
const unwrapTmux = (args: readonly Word[]): readonly InnerCommand[] =>
  calls(args).flatMap((call) => {
    const [verb, ...rest] = readOptions(call, { short: "LSTcf" }).operands;
    const name = verb === undefined ? "" : leadingText(verb);
    if (!RUNNING.test(name)) return unwrapTail("tmux", rest);
    const [tests, types] = [name.startsWith("if"), name.startsWith("send")];
    const { operands } = readOptions(rest, { short: types ? "cNt" : "ceFlNnsTtxy" });
    // `if-shell CONDITION COMMAND` and typed lines: each is one word. Several words may also form one line.
    const each = tests || types ? operands.flatMap((word) => commandOf([word])) : [];
    return tests ? each : [...each, ...commandOf(operands)];
  });

/** Compared by prefix, because tmux accepts abbreviated commands. */
const RUNNING = /^(?:new|sp|resp|run|if|pipe|popup|display-po|send)/;

/** Several commands in one line are separated by `;`. */
const calls = (args: readonly Word[]): readonly (readonly Word[])[] => {
  const found: Word[][] = [[]];
  for (const word of args) {
    if (constantText(word) === ";") found.push([]);
    else found.at(-1)?.push(word);
  }
  return found;
};

/** Returns the command after a subcommand that runs commands; none after any other subcommand. */
const afterVerb =
  (verbs: string, short = "npw") =>
  (args: readonly Word[]): readonly InnerCommand[] => {
    const [verb = EMPTY, ...rest] = readOptions(args, { short: "C", long: GLOBAL }).operands;
    return verbs.split(" ").includes(constantText(verb) ?? "-") ? unwrapSimple(rest, { short }) : [];
  };

const GLOBAL = ["prefix", "dir", "cwd", "directory", "project", "filter", "workspace"];

/** `python -m MODULE ARG…`: the module's name counts as a program. */
const unwrapModule = (args: readonly Word[]): readonly InnerCommand[] => {
  const at = args.findIndex((word) => !/^-[bBdEhiIOPqRsSuvx]+$/.test(leadingText(word)));
  const first = args[at];
  if (first === undefined || !leadingText(first).startsWith("-m")) return [];
  const attached = dropText(first, 2);
  return command(attached.pieces.length > 0 ? [attached, ...args.slice(at + 1)] : args.slice(at + 1));
};

const OTHERS = tableOf<(args: readonly Word[], stdin: Word | null) => readonly InnerCommand[]>({
  env: unwrapEnv,
  "source .": ([file = EMPTY], stdin) =>
    constantText(file) === "/dev/stdin" && stdin !== null ? script(stdin) : [],
  eval: (args) => script(joinWords(constantText(args[0] ?? EMPTY) === "--" ? args.slice(1) : args, " ")),
  trap: unwrapTrap,
  xargs: unwrapXargs,
  parallel: unwrapParallel,
  watch: (args) => script(joinWords(readOptions(args, WATCH).operands, " ")),
  tmux: unwrapTmux,
  "fd fdfind": unwrapFd,
  find: (args) => unwrapFind(args).map((words) => ({ kind: "command", words, assignments: [] })),
  git: unwrapGit,
  npm: afterVerb("exec x", "pwc"),
  mise: afterVerb("exec x"),
  "pnpm yarn bundle": afterVerb("exec"),
  bun: afterVerb("x"),
  "poetry pipenv pdm uv conda rye": afterVerb("run"),
});
