/** Finds many words in one pass over a text (Aho and Corasick), in linear time for any number of words. Pure. */

import type { Range } from "../../text/ranges.ts";

interface Node {
  readonly next: Map<string, Node>;
  /** Node of the longest word prefix that is a suffix of this one; null for the root. */
  fallback: Node | null;
  length: number;
}

/** Returns the ranges of the words, inside longer words and overlapping ones too: the longest match at each end. */
export const createWordSearch = (words: Iterable<string>): ((text: string) => readonly Range[]) => {
  const root = nodeBelow(null);
  for (const word of words) {
    let node = root;
    for (let at = 0; at < word.length; at += 1) node = childOf(node, word.charAt(at), root);
    node.length = word.length;
  }
  // Nodes nearer to the root come first. The loop also visits nodes that it adds.
  const walked: Node[] = [root];
  for (const node of walked) {
    for (const [unit, child] of node.next) {
      if (node.fallback !== null) child.fallback = follow(node.fallback, unit);
      child.length = Math.max(child.length, child.fallback?.length ?? 0);
      walked.push(child);
    }
  }
  return (text) => {
    const found: Range[] = [];
    let node = root;
    for (let at = 0; at < text.length; at += 1) {
      node = follow(node, text.charAt(at));
      if (node.length > 0) found.push({ from: at + 1 - node.length, to: at + 1 });
    }
    return found;
  };
};

const nodeBelow = (fallback: Node | null): Node => ({ next: new Map(), fallback, length: 0 });

const childOf = (node: Node, unit: string, root: Node): Node => {
  const known = node.next.get(unit) ?? nodeBelow(root);
  node.next.set(unit, known);
  return known;
};

const follow = (from: Node, unit: string): Node => {
  let node = from;
  for (;;) {
    const next = node.next.get(unit);
    if (next !== undefined) return next;
    if (node.fallback === null) return node;
    node = node.fallback;
  }
};
