/** What the walk finds: simple commands. Refusals, and later the danger categories, judge lists of these. */
import type { Word } from "./word.ts";

/** A shell process: a subshell, a pipeline's part or a substitution has its own current directory. */
export interface Scope {
  readonly parent: Scope | null;
}

/** `NAME=value` before a command; null where the value is a list. */
export interface Assignment {
  readonly name: string;
  readonly value: Word | null;
}

export interface SimpleCommand {
  /** The program without its directory (`/bin/rm` is `rm`); null when the text does not say which it is. */
  readonly program: string | null;
  /** What follows the program, expanded. */
  readonly args: readonly Word[];
  readonly assignments: readonly Assignment[];
  /** What the command reads on standard input, when a here-document, a here-string or `echo` says so. */
  readonly stdin: Word | null;
  /** The wrappers that it was found inside, outermost first: `["sudo", "bash"]`. */
  readonly via: readonly string[];
  readonly scope: Scope;
}
