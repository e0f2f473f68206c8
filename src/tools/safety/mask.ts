/**
 * Two weak spots of the grammar, avoided by writing over single characters and reading again, so that all
 * offsets stay.
 *
 * `[` is an ordinary command to bash, but the grammar gives it an expression syntax of its own in which
 * `[ -d / ] && rm -rf /` loses the `rm`: its bracket becomes `_`, the name of a command. In `[[ -d / ]]` the
 * slash is taken for a division: there it becomes a letter.
 */
import type { ReadSyntax } from "./grammar.ts";
import type { Syntax, SyntaxTree } from "./syntax.ts";

/** A test that was misread may hide others; each reading uncovers the next. */
const MAX_READINGS = 8;

/** The tree with every `[ … ]` read as an ordinary command named `_`. */
export const maskTests = (tree: SyntaxTree, read: ReadSyntax): SyntaxTree => {
  let current = tree;
  if (tree.errorAt !== null) {
    const slashes = loneSlashes(tree.source);
    current = (slashes.length === 0 ? null : read(overwrite(tree.source, slashes))) ?? tree;
  }
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const brackets = findBrackets(current.root);
    const next = brackets.length === 0 ? null : read(overwrite(current.source, brackets));
    if (next === null) return current;
    current = next;
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

const findBrackets = (root: Syntax): readonly number[] => {
  const found: number[] = [];
  const stack: Syntax[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const [first] = node.children;
    if (node.type === "test_command" && first?.type === "[") found.push(first.start);
    for (const child of node.children) stack.push(child);
  }
  return found;
};

const overwrite = (source: string, at: readonly number[]): string => {
  const characters = source.split("");
  for (const index of at) characters[index] = "_";
  return characters.join("");
};
