/**
 * EXEC_ARBITRARY: commands that run code which the text of the command does not contain. Running a program or a script of the
 * project does not count, because that is the purpose of commands.
 */
import { type DangerFinding, finding } from "../danger/danger.ts";
import { isHarmlessCode, type ScriptLanguage } from "./inline.ts";
import { readRunning, type InterpreterRun } from "./interpreters.ts";
import { executedFileFindings } from "./executed-files.ts";
import { hasPath } from "./ordinary.ts";
import { hasUnseenArguments, type RuleContext } from "../danger/rule-context.ts";
import { tableOf } from "../shell/table.ts";
import { hasArgument, optionRule } from "./usage.ts";
import { isHarmlessUnknown, isUnresolved } from "../danger/unresolved.ts";
import { PARALLEL, readXargs, SHELLS } from "../shell/unwrap.ts";
import { escapes, isTameCommand } from "../shell/escapes.ts";
import { hasFlag, readOptions, valuesOf } from "../shell/options.ts";
import { constantText, leadingText, scriptText, type Word } from "../shell/word.ts";

export const opaqueFindings = (scene: RuleContext): readonly DangerFinding[] => {
  const { command } = scene;
  const { name, program, args } = command;
  if (name === null) return [];
  const assigned = [
    ...command.assignments.flatMap(({ name: key, value }) => assignmentFindings(key, value)),
    ...escapes(program ?? "", args, command.assignments)
      .filter((word) => !isTameCommand(word))
      .map((word) => hidden(`makes ${program ?? "programs"} run ${scriptText(word)}`)),
  ];
  if (program === null)
    return isUnresolved(name) ? [...assigned, hidden(`runs whatever ${sourcesOf(name)} gives`)] : assigned;
  if (isPattern(name)) return [...assigned, hidden(`runs whatever matches ${leadingText(name)}`)];
  if (MARKS.has(program)) return [...assigned, hidden("runs commands that another program gives it")];
  const running = readRunning(program, args);
  const own = running === null ? [] : runningFindings(running, scene);
  const made = hasPath(name) ? executedFileFindings(name, "shell", scene) : [];
  return [...assigned, ...own, ...made, ...programFindings(program, args, scene)];
};

const hidden = (change: string): DangerFinding => finding("EXEC_ARBITRARY", change, "high");

/** Marks that `find` and `xargs` replace by their items. */
const MARKS: ReadonlySet<string> = new Set(["{}", "%"]);

const sourcesOf = ({ pieces }: Word): string =>
  pieces.flatMap((piece) => (piece.kind === "unknown" ? [piece.source] : [])).join(" ");

/** Variables whose value programs load. Variables with a command are in escapes.ts. */
const LOADED =
  /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PS4|PYTHONSTARTUP|PYTHONBREAKPOINT|PERL5OPT|PERL5DB|RUBYOPT)$/;

const assignmentFindings = (name: string, value: Word | null): readonly DangerFinding[] => {
  if (value === null || value.pieces.length === 0) return [];
  const loads = name === "NODE_OPTIONS" && /--(?:require|import|loader|eval)|-r\b/.test(leadingText(value));
  return LOADED.test(name) || loads ? [hidden(`sets ${name}, which makes programs run something`)] : [];
};

const programFindings = (
  program: string,
  args: readonly Word[],
  scene: RuleContext,
): readonly DangerFinding[] => {
  const check = CHECKS.get(program);
  return check?.(args, scene) === true ? [hidden(`${program} runs what is not shown`)] : [];
};

type Check = (args: readonly Word[], scene: RuleContext) => boolean;

const texts = (args: readonly Word[]): readonly string[] => args.map(leadingText);

/** Whether the words contain a shell whose script contains the mark for found items. */
const feedsShell = (words: readonly Word[], mark: string): boolean => {
  const at = words.findIndex((word) => SHELLS.has((constantText(word) ?? "").split("/").at(-1) ?? ""));
  const running = at === -1 ? null : readRunning("sh", words.slice(at + 1));
  return running?.code.some((word) => scriptText(word).includes(mark)) ?? false;
};

const parallel: Check = (args, { command }) => {
  const { operands } = readOptions(args, PARALLEL);
  return operands.length === 0 && command.stdin === null;
};

const unknownScript: Check = (args) => args.some((word) => isUnresolved(word) && !isHarmlessUnknown(word));

/** `e` runs the pattern space, `1e command` a command, `s/a/b/e` the result of the substitution. */
const sed: Check = (args) => {
  const { options, operands } = readOptions(args, optionRule("e f l expression file"));
  const told = valuesOf(options, ["e", "expression"]);
  return (told.length > 0 ? told : operands.slice(0, 1)).some((word) => runsInSed(scriptText(word)));
};

const runsInSed = (script: string): boolean =>
  /(?:^|[;{\n])[ \t]*(?:(?:\d+|\$|\/(?:\\.|[^/\\])*\/)(?:,(?:\d+|\$|\/(?:\\.|[^/\\])*\/))?[ \t]*!?[ \t]*)?e(?:\s|$)/.test(
    script,
  ) || /(?:^|[;{\n\d$/}\s])s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiImM\d]*e/.test(script);

const awk: Check = (args) => {
  const { operands } = readOptions(args, { short: "fFv", long: ["file", "assign"] });
  const [program] = operands;
  if (program === undefined) return false;
  if (isUnresolved(program) && program.pieces.length === 1) return true;
  const text = scriptText(program);
  const plain = text.replaceAll(/"(?:\\.|[^"\\])*"?/g, '""');
  return (
    /\bsystem\s{0,9}\(|\|&?\s{0,9}getline|@load|@include/.test(plain) || plain.split(/[;}\n]/).some(pipes)
  );
};

const pipes = (statement: string): boolean => {
  const print = statement.search(/\bprintf?\b/);
  return print !== -1 && /^[^|]*\|(?!\|)/.test(statement.slice(print));
};

/** Commands with which databases run programs: `.shell`, `\\!`, a pipe, a library. */
const database: Check = (args, { command: { stdin } }) =>
  [...args, ...(stdin === null ? [] : [stdin])].some((word) =>
    /(?:^|[\n;])\s{0,9}(?:\.(?:shell|system|load|read\s{1,9}['"]?\||import\s{1,9}['"]?\||once\s{1,9}['"]?\||output\s{1,9}['"]?\|)|\\!|system\s)|\\!|\\[ogw]\s{0,9}\||load_extension\s{0,9}\(|\bprogram\s{1,9}'/i.test(
      scriptText(word),
    ),
  );

/** A Makefile from standard input or the command line, or with a custom shell. */
const making: Check = (args) =>
  texts(args).some((text, at) => {
    const before = texts(args)[at - 1] ?? "";
    const file = /^(?:-f|--(?:make)?file=?)/.exec(text);
    const named =
      file === null ? (/^(?:-f|--(?:make)?file)$/.test(before) ? text : null) : text.slice(file[0].length);
    return (
      /^(?:--eval|SHELL=)/.test(text) ||
      (named !== null && (/^(?:-$|\/dev\/|\/proc\/)/.test(named) || (named === "" && file === null)))
    );
  });

const gdb: Check = (args) =>
  texts(args).some(
    (text, at) =>
      /^-(?:x|-?command)/.test(text) || (GDB.test(texts(args)[at - 1] ?? "") && !TAME_GDB.test(text)),
  );

const exporting: Check = (args) =>
  args.some((word) => {
    const name = /^(\w+)=./.exec(leadingText(word))?.[1];
    return name !== undefined && LOADED.test(name);
  });

/** Options with a line for gdb, which may run programs and code. */
const GDB = /^-(?:-?ex|-?eval-command)$/;
const TAME_GDB =
  /^(?:run|r|start|bt|backtrace|where|continue|c|next|n|step|s|finish|quit|q|info|break|b|list|l|print|p|x|frame|f|thread|set (?:pagination|confirm|print|width|height|args))(?: [\w\s.:*&>$-]*)?$/;

const CHECKS = tableOf<Check>({
  eval: (args) => args.length > 0,
  xargs: (args) => {
    const { words, mark } = readXargs(args);
    return mark !== null && feedsShell(words, mark);
  },
  find: (args) => feedsShell(args, "{}"),
  parallel,
  "watch trap alias": unknownScript,
  "export declare typeset": exporting,
  "sed gsed": sed,
  "awk gawk mawk nawk": awk,
  "vim vi nvim": hasArgument(
    /^(?:\+|:)?!|^\+?:?(?:!|sil(?:ent)? *!|lua |py(?:thon)?3? |call system|so(?:urce)? )/,
  ),
  "ex ed batch": () => true,
  zip: hasArgument(/^-TT/),
  "sqlite3 psql mysql mariadb": database,
  strace: hasArgument(/^(?:-o)?[|!]/),
  "less more": hasArgument(/^\+!/),
  emacs: hasArgument(/^--?(?:eval|execute|f|funcall|l|load)\b/),
  "make gmake": making,
  at: (args) => !hasArgument(/^-[lrdc]/)(args),
  enable: (args) => hasFlag(readOptions(args, optionRule("f")).options, "f"),
  hash: hasArgument(/^-p/),
  gdb,
  nc: hasArgument(/^-\w*[ec]$/),
  ncat: hasArgument(/^-\w*[ec]$|^--(?:exec|sh-exec)/),
  socat: hasArgument(/(?:EXEC|SYSTEM|SHELL):/i),
  "pwsh powershell": hasArgument(/^-(?:c|command|e|ec|enc|encodedcommand)$/i),
  ghc: hasArgument(/^-e/),
  erl: hasArgument(/^-eval$/),
  ssh: hasArgument(/ProxyCommand|LocalCommand/i),
});

const runningFindings = (running: InterpreterRun, scene: RuleContext): readonly DangerFinding[] => {
  const { command } = scene;
  const fed = hasUnseenArguments(scene);
  const { language, code, file, stdin } = running;
  const shown = language === "other" || language === "shell" ? (command.program ?? "") : language;
  const told = (text: readonly Word[]): readonly DangerFinding[] => {
    if (text.some((word) => isUnresolved(word) && !isHarmlessUnknown(word)))
      return [hidden(`${shown} runs text that is not told`)];
    return language === "shell" ? [] : codeFindings(language, text);
  };
  if (code.length > 0) return told(code);
  if (file !== null) {
    const found = fed && (isPattern(file) || constantText(file) === "{}");
    if (found) return [hidden(`${shown} runs every file that is found`)];
    const whole = isUnresolved(file) && file.pieces.length === 1;
    return whole
      ? [hidden(`${shown} runs a file that is not told`)]
      : executedFileFindings(file, language, scene);
  }
  if (!stdin) return fed && language === "shell" ? [hidden(`${shown} runs what it is given`)] : [];
  if (fed) return [hidden(`${shown} runs what it is given`)];
  if (command.input === "pipe") return [hidden(`${shown} runs what is piped into it`)];
  return command.stdin === null ? [] : told([command.stdin]);
};

const codeFindings = (language: ScriptLanguage, code: readonly Word[]): readonly DangerFinding[] =>
  code.every((word) => isHarmlessCode(language, scriptText(word)))
    ? []
    : [
        hidden(
          `${language === "other" ? "an interpreter" : language} runs code that can do more than compute`,
        ),
      ];

const isPattern = ({ pieces }: Word): boolean =>
  pieces.some((piece) => piece.kind === "text" && piece.active && /[*?]|^[^[\n]*\[.+\]/m.test(piece.text));
