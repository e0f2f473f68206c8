/**
 * The syntax tree as plain data. Copied out of the parser's memory once and without recursion, so that the
 * rest of this folder is pure, frees nothing by hand and can be as deep as the script is.
 */
import type { Tree } from "web-tree-sitter";

/** A node; `start` and `end` are offsets into the source in UTF-16 units. */
export interface Syntax {
  readonly type: string;
  readonly named: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Syntax[];
}

/** A script's tree, and where its first syntax error starts (null: there is none). */
export interface SyntaxTree {
  readonly source: string;
  readonly root: Syntax;
  readonly errorAt: number | null;
}

/** Copies a parser's tree. */
export const copyTree = (tree: Tree, source: string): SyntaxTree => {
  const cursor = tree.walk();
  let errorAt: number | null = null;
  const read = (): Growing => {
    const broken = cursor.nodeType === "ERROR" || cursor.nodeIsMissing;
    if (broken && (errorAt === null || cursor.startIndex < errorAt)) errorAt = cursor.startIndex;
    return {
      type: cursor.nodeType,
      named: cursor.nodeIsNamed,
      start: cursor.startIndex,
      end: cursor.endIndex,
      children: [],
    };
  };
  const root = read();
  const open: Growing[] = [root];
  for (let parent = open.at(-1); parent !== undefined; parent = open.at(-1)) {
    const stepped = parent.children.length === 0 ? cursor.gotoFirstChild() : cursor.gotoNextSibling();
    if (stepped) {
      const child = read();
      parent.children.push(child);
      open.push(child);
      continue;
    }
    open.pop();
    if (parent.children.length > 0) cursor.gotoParent();
  }
  cursor.delete();
  return { source, root, errorAt };
};

interface Growing extends Syntax {
  readonly children: Growing[];
}
