/** Loads the bash grammar and turns text into syntax trees, with as much patience as the reader has. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Language, Parser } from "web-tree-sitter";
import type { Patience } from "./patience.ts";
import { copyTree, type SyntaxTree } from "./syntax.ts";

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
