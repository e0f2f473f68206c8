/** Loads the bash grammar and turns text into syntax trees, with as much patience as the reader has. */
import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";
import type { Patience } from "./patience.ts";
import { copyTree, type SyntaxTree } from "./syntax.ts";

/** Reads a script; null when the reading was given up because there was no patience left for it. */
export type ReadSyntax = (source: string) => SyntaxTree | null;

export type Grammar = (patience: Patience) => ReadSyntax;

/** Loads the grammar that the tree-sitter-bash package ships as WebAssembly; its native binding is not used. */
export const loadGrammar = async (): Promise<Grammar> => {
  await Parser.init();
  const wasm = createRequire(import.meta.url).resolve("tree-sitter-bash/tree-sitter-bash.wasm");
  const parser = new Parser().setLanguage(await Language.load(wasm));
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
