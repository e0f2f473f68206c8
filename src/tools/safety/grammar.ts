/** Loads the bash grammar and turns text into syntax trees, within a time limit. */
import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";
import { copyTree, type SyntaxTree } from "./syntax.ts";

/**
 * Wall time that one reading may take. Ordinary scripts take microseconds a line; only text made of
 * unbalanced quotes and brackets, on which the parser's recovery is quadratic, comes near it.
 */
const READING_MILLIS = 2_000;

/** Reads a script; null when the reading was given up because it took too long. */
export type ReadSyntax = (source: string) => SyntaxTree | null;

/** Loads the grammar that the tree-sitter-bash package ships as WebAssembly; its native binding is not used. */
export const loadGrammar = async (): Promise<ReadSyntax> => {
  await Parser.init();
  const wasm = createRequire(import.meta.url).resolve("tree-sitter-bash/tree-sitter-bash.wasm");
  const parser = new Parser().setLanguage(await Language.load(wasm));
  return (source) => {
    const deadline = performance.now() + READING_MILLIS;
    const tree = parser.parse(source, null, { progressCallback: () => performance.now() > deadline });
    if (tree === null) {
      parser.reset();
      return null;
    }
    const copy = copyTree(tree, source);
    tree.delete();
    return copy;
  };
};
