/** Loads the bash grammar and turns text into syntax trees, with as much patience as the reader has. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Language, Parser, type Tree } from "web-tree-sitter";
import type { Patience } from "./patience.ts";

/** Reads a script; null when the reading was given up because there was no patience left for it. */
export type ReadSyntax = (source: string) => SyntaxTree | null;

export type Grammar = (patience: Patience) => ReadSyntax;

/** Loads the grammar that the tree-sitter-bash package ships as WebAssembly; its native binding is not used. */
export const loadGrammar = async (): Promise<Grammar> => {
  await Parser.init();
  const parser = new Parser().setLanguage(await Language.load(wasmFile()));
  return (patience) => (source) => {
    const tree = parser.parse(source, null, {
      progressCallback: ({ hasError }) => patience.endsReading(hasError),
    });
    if (tree === null) {
      parser.reset();
      return null;
    }
    const copy = copyTree(tree, source);
    tree.delete();
    return copy;
  };
};

/** The packed product has the file alone beside this one: of the rest of its package nothing is used (D35). */
const wasmFile = (): string => {
  const packed = join(import.meta.dirname, "tree-sitter-bash.wasm");
  return existsSync(packed)
    ? packed
    : createRequire(import.meta.url).resolve("tree-sitter-bash/tree-sitter-bash.wasm");
};

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

/**
 * A parser's tree as plain data: copied out of its memory once and without recursion, so that the rest of this folder
 * is pure, frees nothing by hand and can be as deep as the script is.
 */
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
