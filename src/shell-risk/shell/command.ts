/** The results of the walk: simple commands and redirections, which refusals and danger categories judge. */
import type { Word } from "./word.ts";

/** `NAME=value` before a command; null if the value is a list. */
export interface Assignment {
  readonly name: string;
  readonly value: Word | null;
}

/** Source of standard input. `text`: known, in `stdin`. `file`: named. `pipe`: unknown content. */
export type Input = "none" | "text" | "file" | "pipe";

export interface StandardInput {
  /** The known text of a here-document, a here-string or `echo`; otherwise null. */
  readonly stdin: Word | null;
  readonly input: Input;
}

export type ScriptStep = SimpleCommand | Redirect;

export interface SimpleCommand extends StandardInput {
  readonly kind: "command";
  /** The expanded word in the program's place; null if the command has only assignments or redirections. */
  readonly name: Word | null;
  /** The program without its directory (`/bin/rm` is `rm`); null if the text does not determine the program. */
  readonly program: string | null;
  readonly args: readonly Word[];
  readonly assignments: readonly Assignment[];
  /** The wrappers around the command, outermost first: `["sudo", "bash"]`. */
  readonly via: readonly string[];
}

/** A file that the shell itself opens: for a simple command, a group, a loop, or without any command. */
export interface Redirect {
  readonly kind: "redirect";
  /** `read` for `<`; `write` for every operator that creates, empties or extends. */
  readonly access: "read" | "write";
  readonly operator: string;
  readonly target: Word;
  /** The written text; null if unknown. */
  readonly content: Word | null;
}

/** The content that a command runs: words, or a script that a shell must still parse. */
export type InnerCommand =
  | { readonly kind: "command"; readonly words: readonly Word[]; readonly assignments: readonly Assignment[] }
  | { readonly kind: "script"; readonly script: Word; readonly positional: readonly Word[] | null };

export const command = (
  words: readonly Word[],
  assignments: readonly Assignment[] = [],
): readonly InnerCommand[] => (words.length === 0 ? [] : [{ kind: "command", words, assignments }]);

export const script = (text: Word, positional: readonly Word[] | null = null): readonly InnerCommand[] => [
  { kind: "script", script: text, positional },
];
