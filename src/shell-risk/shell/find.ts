/**
 * Reads the deletions of `find`. They are reported as an `rm -rf`, so that one rule judges both. The targets are the starting
 * points if no test narrows the search, otherwise the searched names.
 */
import { asPattern, constantText, leadingText, plainWord, type Word } from "./word.ts";

/** Returns the commands that a `find` runs, with `{}` replaced by its results. */
export const unwrapFind = (args: readonly Word[]): readonly (readonly Word[])[] => {
  const { starts, expression } = readFind(args);
  const found = targets(starts, expression);
  const commands: (readonly Word[])[] = [];
  let current: Word[] | null = null;
  for (const word of expression) {
    const text = constantText(word) ?? "";
    if (current !== null && text !== ";" && text !== "+") {
      for (const each of text === "{}" && found.length > 0 ? found : [word]) current.push(each);
      continue;
    }
    if (current !== null) commands.push(current);
    current = EXECS.has(text) ? [] : null;
    if (text === "-delete" && found.length > 0) {
      commands.push([plainWord("rm"), plainWord("-rf"), ...found]);
    }
  }
  return current === null ? commands : [...commands, current];
};

export const readFind = (
  args: readonly Word[],
): { readonly starts: readonly Word[]; readonly expression: readonly Word[] } => {
  const rest = args.slice(globalOptions(args));
  const end = rest.findIndex((word) => /^(?:-|\(|!)/.test(leadingText(word)));
  const starts = end === -1 ? rest : rest.slice(0, end);
  return {
    starts: starts.length === 0 ? [plainWord(".")] : starts,
    expression: end === -1 ? [] : rest.slice(end),
  };
};

const EXECS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** `-H`, `-L`, `-P`, `-O3` and `-D x` precede the starting points. */
const globalOptions = (args: readonly Word[]): number => {
  let at = 0;
  for (let text = next(args, at); /^-(?:[HLP]|O\d|D)$/.test(text); text = next(args, at)) {
    at += text === "-D" ? 2 : 1;
  }
  return at;
};

const next = (args: readonly Word[], at: number): string => {
  const word = args[at];
  return word === undefined ? "" : leadingText(word);
};

/** Tests that exclude most files. `-type f` and `-type d`, `-maxdepth` and similar tests do not. */
const NARROWING =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|[amc]time|[amc]min|newer\w*|anewer|cnewer|size|empty|user|uid|group|gid|perm|links|inum|samefile|nouser|nogroup|used|executable|readable|writable)$/;

const MAX_TARGETS = 16;

/** Possible results of a search: its starting points, the searched names, or an unknown value that does little harm. */
const targets = (starts: readonly Word[], expression: readonly Word[]): readonly Word[] => {
  let names: Word[] = [];
  let narrowed = false;
  let files = false;
  for (const [at, word] of expression.entries()) {
    const test = constantText(word) ?? "";
    const value = expression[at + 1];
    const negated = /^(?:!|-not)$/.test(next(expression, at - 1));
    if (test === "-prune") [names, narrowed] = [[], false];
    if (/^-x?type$/.test(test) && value !== undefined && !negated) {
      const types = constantText(value) ?? "d";
      files ||= !types.includes("d");
      narrowed ||= !/[fd]/.test(types);
    }
    if (!NARROWING.test(test)) continue;
    const isName = test === "-name" || test === "-iname";
    if (isName && value !== undefined && /^\*+$/.test(constantText(value) ?? "")) continue;
    narrowed = true;
    if (isName && value !== undefined && !negated) names.push(asPattern(value));
  }
  return (narrowed ? (files ? [] : names) : starts).slice(0, MAX_TARGETS);
};
