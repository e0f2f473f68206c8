/** What the walk finds: simple commands and redirections. Refusals and danger categories judge lists of these. */
import type { Word } from "./word.ts";

/** `NAME=value` before a command; null where the value is a list. */
export interface Assignment {
  readonly name: string;
  readonly value: Word | null;
}

/** Where standard input comes from: `text` is told by `stdin`; `file` is named; what a `pipe` brings is not known. */
export type Input = "none" | "text" | "file" | "pipe";

/** What a command reads on standard input. */
export interface StandardInput {
  /** Its text, when a here-document, a here-string or `echo` says so. */
  readonly stdin: Word | null;
  readonly input: Input;
}

/** What a script does, in its order. */
export type ScriptStep = SimpleCommand | Redirect;

export interface SimpleCommand extends StandardInput {
  readonly kind: "command";
  /** The word in the program's place, expanded; null where there are only assignments or redirections. */
  readonly name: Word | null;
  /** The program without its directory (`/bin/rm` is `rm`); null when the text does not say which it is. */
  readonly program: string | null;
  /** What follows the program, expanded. */
  readonly args: readonly Word[];
  readonly assignments: readonly Assignment[];
  /** The wrappers that it was found inside, outermost first: `["sudo", "bash"]`. */
  readonly via: readonly string[];
}

/** A file that the shell itself opens: for a simple command, a group, a loop, or for nothing at all. */
export interface Redirect {
  readonly kind: "redirect";
  /** `read` for `<`; `write` for every operator that creates, empties or extends. */
  readonly access: "read" | "write";
  readonly operator: string;
  readonly target: Word;
  /** What is written, when the text tells it; null when not. */
  readonly content: Word | null;
}

/** What a command runs: words as they are, or a script that a shell has yet to read. */
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
