/**
 * Reads a shell command and lists everything in it that a shell would run.
 *
 * A courtesy, not a security boundary: it catches slips and ordinary obfuscation so that the agent gets a
 * clear refusal (BASH-007). What a command can do is decided by the kernel alone, and a program can always
 * build a command that no reading of text foresees.
 *
 * Text that does not parse is still read: bash runs a script line by line up to the error, so the commands
 * in the parts that the parser recovered, and those in the lines before the first error, are listed too.
 */
import type { SimpleCommand } from "./command.ts";
import { loadGrammar, type ReadSyntax } from "./grammar.ts";
import { maskTests } from "./mask.ts";
import type { SyntaxTree } from "./syntax.ts";
import { type Walked, walk } from "./walk.ts";

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
  /** Reads a script. Never throws, and takes at most about two seconds on the worst text. */
  readonly parse: (script: string) => ParsedScript;
}

/** Characters that are read; of a longer script, the whole lines that fit. */
export const MAX_SCRIPT = 262_144;

/** Lines that are read one by one when the whole took too long. */
const MAX_LINES = 500;

/** Loads the grammar; one parser serves a whole process. */
export const createShellParser = async (): Promise<ShellParser> => {
  const read = await loadGrammar();
  return { parse: (script) => parse(script, read) };
};

const parse = (script: string, read: ReadSyntax): ParsedScript => {
  const source = fitting(script);
  const tree = read(source);
  if (tree === null) return { kind: "unparseable", reason: "bounds", commands: lineByLine(source, read) };
  const { trees, broken } = readings(tree, read);
  const walked = trees.map((each) => walk(each, read));
  const commands = walked.flatMap((each) => each.commands);
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

/** The trees to walk: one for a clean script; for a broken one also that of the lines before the error. */
const readings = (
  tree: SyntaxTree,
  read: ReadSyntax,
): { readonly trees: readonly SyntaxTree[]; readonly broken: boolean } => {
  const masked = maskTests(tree, read);
  if (masked.errorAt === null) return { trees: [masked], broken: false };
  const before = masked.source.lastIndexOf("\n", masked.errorAt - 1);
  const clean = before > 0 ? read(masked.source.slice(0, before)) : null;
  return { trees: [...new Set([tree, masked]), ...(clean === null ? [] : [clean])], broken: true };
};

const lineByLine = (source: string, read: ReadSyntax): readonly SimpleCommand[] => {
  const commands: SimpleCommand[] = [];
  const deadline = performance.now() + 1_000;
  for (const line of source.split("\n").slice(0, MAX_LINES)) {
    if (performance.now() > deadline) return commands;
    const tree = read(line);
    const found: Walked | null = tree === null ? null : walk(tree, read);
    commands.push(...(found?.commands ?? []));
  }
  return commands;
};
