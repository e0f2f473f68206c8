/** The context of a rule: one command of a script, its position, and the script's earlier effects. */
import type { SimpleCommand } from "../shell/command.ts";
import type { ParsedScript } from "../shell/shell.ts";
import type { Word } from "../shell/word.ts";
import type { DangerFinding } from "./danger.ts";
import type { CheckoutFacts } from "./facts.ts";

/** Parses one more script; null if it exceeds the reader's limits. */
export type ReadScript = (script: string) => ParsedScript | null;

/** Data collected during one read of a call besides its findings. Mutable, because a script is read in order. */
export interface Memory {
  readonly facts: CheckoutFacts;
  readonly read: ReadScript;
  /** Findings of one more script in the same memory; empty if that name was already read. */
  readonly judge: (name: string, script: string) => readonly DangerFinding[];
  /** Files that the script itself makes, by the path of `whereIs`, with their text if it is known. */
  readonly made: Map<string, Word | null>;
  /** Checkout files that are run and whose text is not in the facts. */
  readonly runs: Set<string>;
  /** Checkout paths whose state matters and is not in the facts. */
  readonly unsettled: Set<string>;
  fetched: boolean;
  incomplete: boolean;
}

export interface RuleContext {
  readonly command: SimpleCommand;
  readonly memory: Memory;
}

/** Whether `xargs` or a similar program adds unseen arguments. */
export const hasUnseenArguments = ({ command: { via } }: RuleContext): boolean =>
  /^(?:xargs|find|parallel)$/.test(via.at(-1) ?? "");

/** Finds the dangers in a program's arguments. Called for the program names in its table, regardless of their directory. */
export type ProgramRule = (args: readonly Word[], scene: RuleContext) => readonly DangerFinding[];
