/** `tmux`: what it starts in a terminal, and what it types into one. */
import type { Inner } from "../shell/command.ts";
import { readOptions } from "../shell/options.ts";
import { constantText, leadingText, type Word } from "../shell/word.ts";
import { commandOf } from "./wrappers.ts";

export const unwrapTmux = (args: readonly Word[]): readonly Inner[] =>
  calls(args).flatMap((call) => {
    const [verb, ...rest] = readOptions(call, { short: "LSTcf" }).operands;
    const name = verb === undefined ? "" : leadingText(verb);
    if (!RUNNING.test(name)) return [];
    const { operands } = readOptions(rest, { short: "ceFlNnsTtxy" });
    // `if-shell CONDITION COMMAND`: each is one word.
    return name.startsWith("if") ? operands.flatMap((word) => commandOf([word])) : commandOf(operands);
  });

/** By how they begin: tmux takes its commands abbreviated. */
const RUNNING = /^(?:new|sp|resp|run|if|pipe|popup|display-po|send)/;

/** Several in one line stand between `;`s. */
const calls = (args: readonly Word[]): readonly (readonly Word[])[] => {
  const found: Word[][] = [[]];
  for (const word of args) {
    if (constantText(word) === ";") found.push([]);
    else found.at(-1)?.push(word);
  }
  return found;
};
