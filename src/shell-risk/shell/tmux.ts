/** `tmux`: what it starts in a terminal, and what it types into one. */
import type { Inner } from "./command.ts";
import { readOptions } from "./options.ts";
import { constantText, leadingText, type Word } from "./word.ts";
import { unwrapTail } from "./tail.ts";
import { commandOf } from "./wrappers.ts";

export const unwrapTmux = (args: readonly Word[]): readonly Inner[] =>
  calls(args).flatMap((call) => {
    const [verb, ...rest] = readOptions(call, { short: "LSTcf" }).operands;
    const name = verb === undefined ? "" : leadingText(verb);
    if (!RUNNING.test(name)) return unwrapTail("tmux", rest);
    const [tests, types] = [name.startsWith("if"), name.startsWith("send")];
    const { operands } = readOptions(rest, { short: types ? "cNt" : "ceFlNnsTtxy" });
    // `if-shell CONDITION COMMAND` and lines that are typed: each is one word. Several may also be one line's.
    const each = tests || types ? operands.flatMap((word) => commandOf([word])) : [];
    return tests ? each : [...each, ...commandOf(operands)];
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
