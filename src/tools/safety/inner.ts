/** What a command runs: words as they are, or a script that a shell has yet to read. */
import type { Assignment } from "../shell/command.ts";
import type { Word } from "../shell/word.ts";

export type Inner =
  | { readonly kind: "command"; readonly words: readonly Word[]; readonly assignments: readonly Assignment[] }
  | { readonly kind: "script"; readonly script: Word; readonly positional: readonly Word[] | null };

export const command = (words: readonly Word[], assignments: readonly Assignment[] = []): readonly Inner[] =>
  words.length === 0 ? [] : [{ kind: "command", words, assignments }];

export const script = (text: Word, positional: readonly Word[] | null = null): readonly Inner[] => [
  { kind: "script", script: text, positional },
];
