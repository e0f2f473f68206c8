/**
 * Four weak spots of the grammar, avoided by writing over single characters and reading again, so that all
 * offsets stay.
 *
 * `[` is an ordinary command to bash, but the grammar gives it an expression syntax of its own in which
 * `[ -d / ] && rm -rf /` loses the `rm`: its bracket becomes `_`, the name of a command. In `[[ -d / ]]` the
 * slash is taken for a division: there it becomes a letter. `3<>file` is unknown to it and becomes `3>>file`. After
 * `time`, `coproc` and `!` it sees neither assignments nor reserved words (`! until …`): these become blanks.
 */
import type { ReadSyntax, Syntax, SyntaxTree } from "./grammar.ts";

/** A test that was misread may hide others; each reading uncovers the next. */
const MAX_READINGS = 8;

/** The tree with every `[ … ]` read as an ordinary command named `_`, and without the words that it stumbles over. */
export const maskTests = (whole: SyntaxTree, read: ReadSyntax): SyntaxTree => {
  let current = whole;
  if (whole.errorAt !== null) {
    const slashes = loneSlashes(whole.source);
    const both = findBoth(whole.root);
    const mended = overwrite(overwrite(whole.source, slashes, "_"), both, ">");
    current = (mended === whole.source ? null : read(mended)) ?? whole;
  }
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const bracketed = overwrite(current.source, findBrackets(current.root), "_");
    const next = overwrite(bracketed, findPrefixes(current), " ");
    const whole = next === current.source ? null : read(next);
    if (whole === null) return current;
    current = whole;
  }
  return current;
};

/** Slashes that are words of their own between `[[` and `]]` on one line. */
const loneSlashes = (source: string): readonly number[] => {
  const found: number[] = [];
  let start = 0;
  for (const line of source.split("\n")) {
    let open = line.indexOf("[[");
    while (open !== -1) {
      const close = line.indexOf("]]", open);
      if (close === -1) break;
      for (const { index } of line.slice(open, close).matchAll(/(?<=\s)\/(?=\s)/g))
        found.push(start + open + index);
      open = line.indexOf("[[", close);
    }
    start += line.length + 1;
  }
  return found;
};

const findBrackets = (root: Syntax): readonly number[] =>
  findStarts(root, ({ type, children: [first] }) =>
    type === "test_command" && first?.type === "[" ? first : undefined,
  );

/** `!`, and `time` and `coproc` with a command behind them; `time -p` is a program's option too. */
const findPrefixes = ({ root, source }: SyntaxTree): readonly number[] => {
  const words = findAll(root, ({ type, children: [first, second, third] }) => {
    if (type === "negated_command") return first;
    if (type !== "command" || second === undefined || first?.type !== "command_name") return undefined;
    const follows = !source.startsWith("-", second.start);
    const word = source.slice(first.start, first.end);
    if (word === "coproc" && third !== undefined && source.slice(third.start, third.end) === "{") {
      return { ...first, end: second.end };
    }
    return follows && PREFIX.test(word) ? first : undefined;
  });
  return words.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at));
};

const PREFIX = /^(?:time|coproc)$/;

/** The `<` of each `<>`. */
const findBoth = (root: Syntax): readonly number[] =>
  findStarts(root, ({ type, children }) => {
    const at = type === "file_redirect" ? children.findIndex((child) => child.type === "<") : -1;
    const error = children[at + 1];
    return error?.type === "ERROR" && error.start === children[at]?.end ? children[at] : undefined;
  });

const findStarts = (root: Syntax, pick: (node: Syntax) => Syntax | undefined): readonly number[] =>
  findAll(root, pick).map(({ start }) => start);

const findAll = (root: Syntax, pick: (node: Syntax) => Syntax | undefined): readonly Syntax[] => {
  const found: Syntax[] = [];
  const stack: Syntax[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const picked = pick(node);
    if (picked !== undefined) found.push(picked);
    for (const child of node.children) stack.push(child);
  }
  return found;
};

const overwrite = (source: string, at: readonly number[], character: string): string => {
  if (at.length === 0) return source;
  const characters = source.split("");
  for (const index of at) characters[index] = character;
  return characters.join("");
};
