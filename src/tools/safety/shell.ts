/**
 * Reads a shell command and lists everything in it that a shell would run.
 *
 * A courtesy, not a security boundary: it catches slips and ordinary obfuscation so that the agent gets a
 * clear refusal (BASH-007). What a command can do is decided by the kernel alone, and a program can always
 * build a command that no reading of text foresees.
 *
 * Text that does not parse is still read: bash runs a script line by line up to the error, so the commands
 * in the parts that the parser recovered, in the lines before the first error, and in the fragments between
 * operators are listed too, some of them twice.
 */
import type { SimpleCommand } from "./command.ts";
import { fragmentsOf } from "./fragments.ts";
import { loadGrammar, type ReadSyntax } from "./grammar.ts";
import { maskTests } from "./mask.ts";
import type { SyntaxTree } from "./syntax.ts";
import { walk } from "./walk.ts";

/**
 * A read command. `unparseable` is no verdict: `commands` still lists what was recognised and is to be
 * judged the same way. Its reason is `syntax` (bash will report it) or `bounds` (the rest was not read).
 */
export type ParsedScript =
  | { readonly kind: "parsed"; readonly commands: readonly SimpleCommand[] }
  | {
      readonly kind: "unparseable";
      readonly reason: "syntax" | "bounds";
      readonly commands: readonly SimpleCommand[];
    };

export interface ShellParser {
  /** Reads a script. Never throws. A command takes well under a millisecond; the worst text some seconds. */
  readonly parse: (script: string) => ParsedScript;
}

/** Characters that are read; of a longer script, the whole lines that fit. */
export const MAX_SCRIPT = 262_144;

/** Milliseconds for the fragments of a script that cannot be read as a whole. */
const FRAGMENTS_MILLIS = 1_000;

/** Loads the grammar; one parser serves a whole process. */
export const createShellParser = async (): Promise<ShellParser> => {
  const read = await loadGrammar();
  return { parse: (script) => parse(script, read) };
};

const parse = (script: string, read: ReadSyntax): ParsedScript => {
  const source = fitting(script);
  const tree = read(source);
  if (tree === null) return { kind: "unparseable", reason: "bounds", commands: readFragments(source, read) };
  const masked = maskTests(tree, read);
  const { errorAt } = masked;
  const broken = errorAt !== null;
  const trees = [
    ...(tree.errorAt === null ? [] : [tree]),
    masked,
    ...(broken ? linesBefore(errorAt, source, read) : []),
  ];
  const walked = trees.map((each) => walk(each, read));
  const commands = [
    ...walked.flatMap((each) => each.commands),
    ...(broken ? readFragments(source, read) : []),
  ];
  if (source !== script || walked.some(({ complete }) => !complete)) {
    return { kind: "unparseable", reason: "bounds", commands };
  }
  return broken ? { kind: "unparseable", reason: "syntax", commands } : { kind: "parsed", commands };
};

const fitting = (script: string): string => {
  if (script.length <= MAX_SCRIPT) return script;
  const line = script.lastIndexOf("\n", MAX_SCRIPT);
  return script.slice(0, line === -1 ? MAX_SCRIPT : line);
};

/** What bash runs before it meets the error, read without the error. */
const linesBefore = (errorAt: number, source: string, read: ReadSyntax): readonly SyntaxTree[] => {
  const end = errorAt === 0 ? -1 : source.lastIndexOf("\n", errorAt - 1);
  const tree = end === -1 ? null : read(source.slice(0, end));
  return tree === null ? [] : [tree];
};

const readFragments = (source: string, read: ReadSyntax): readonly SimpleCommand[] => {
  const commands: SimpleCommand[] = [];
  const deadline = performance.now() + FRAGMENTS_MILLIS;
  for (const fragment of fragmentsOf(source)) {
    if (performance.now() > deadline) return commands;
    const tree = read(fragment);
    for (const command of tree === null ? [] : walk(tree, read).commands) commands.push(command);
  }
  return commands;
};
