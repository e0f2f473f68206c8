/**
 * `[` is an ordinary command to bash, but the grammar gives it an expression syntax of its own in which
 * `[ -d / ] && rm -rf /` loses the `rm`. Its bracket is overwritten with a letter of the same length and the
 * text is read again, so that offsets stay and the line becomes commands and words.
 */
import type { ReadSyntax } from "./grammar.ts";
import type { Syntax, SyntaxTree } from "./syntax.ts";

/** A test that was misread may hide others; each reading uncovers the next. */
const MAX_READINGS = 8;

/** The tree with every `[ … ]` read as an ordinary command named `_`. */
export const maskTests = (tree: SyntaxTree, read: ReadSyntax): SyntaxTree => {
  let current = tree;
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const brackets = findBrackets(current.root);
    const next = brackets.length === 0 ? null : read(overwrite(current.source, brackets));
    if (next === null) return current;
    current = next;
  }
  return current;
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
