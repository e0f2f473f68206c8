/** What a rule sees: one command of a script, where it stands, and what the script has done so far. */
import type { SimpleCommand } from "../shell/command.ts";
import type { ParsedScript } from "../shell/shell.ts";
import type { Word } from "../shell/word.ts";
import type { DangerFinding } from "./danger.ts";
import type { CheckoutFacts } from "./facts.ts";

/** Reads one more script; null when it is too much for whoever reads. */
export type ReadScript = (script: string) => ParsedScript | null;

/** What one reading of a call collects beside its findings; mutable, because a script is read in its order. */
export interface Memory {
  readonly facts: CheckoutFacts;
  readonly read: ReadScript;
  /** The findings of one more script, in the same memory; none where it is read already by that name. */
  readonly judge: (name: string, script: string) => readonly DangerFinding[];
  /** Files that the script itself makes, by `whereIs`'s path, with their text where it is told. */
  readonly made: Map<string, Word | null>;
  /** Files of the checkout that are run, whose text is not among the facts. */
  readonly runs: Set<string>;
  /** Paths of the checkout whose standing would decide something and is not among the facts. */
  readonly unsettled: Set<string>;
  /** Set when the script has fetched files. */
  fetched: boolean;
  /** Set when something was not read. */
  incomplete: boolean;
}

export interface RuleContext {
  readonly command: SimpleCommand;
  readonly memory: Memory;
}

/** What `xargs` and the like run has arguments that nobody has seen. */
export const hasUnseenArguments = ({ command: { via } }: RuleContext): boolean =>
  /^(?:xargs|find|parallel)$/.test(via.at(-1) ?? "");

/** What a program's arguments mean. Called for the programs that it is listed under, whatever their directory. */
export type ProgramRule = (args: readonly Word[], scene: RuleContext) => readonly DangerFinding[];
