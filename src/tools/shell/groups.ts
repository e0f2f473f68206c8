/** Which nodes of a command make up one word. */
import type { Syntax } from "./grammar.ts";

export const groupWords = (nodes: readonly Syntax[], source: string): readonly (readonly Syntax[])[] => {
  const groups: Syntax[][] = [];
  let end = -1;
  for (const node of nodes) {
    const between = end === -1 ? [] : escapedBlanks(source, end, node.start);
    for (const part of NO_WORD.has(node.type) ? between : [...between, node]) {
      const last = groups.at(-1);
      if (last !== undefined && JOINED.test(source.slice(end, part.start))) last.push(part);
      else groups.push([part]);
      end = part.end;
    }
    end = node.end;
  }
  return groups.map((group) => mendNames(group, source));
};

const NO_WORD: ReadonlySet<string> = new Set(
  "variable_assignment file_redirect heredoc_redirect herestring_redirect comment".split(" "),
);

/** Nothing, or a line break that a backslash takes away. */
const JOINED = /^(?:\\\n)*$/;

/** `\ ` is a character of a word, but the grammar passes over it as if it separated words. */
const escapedBlanks = (source: string, start: number, end: number): readonly Syntax[] =>
  [...source.slice(start, end).matchAll(/(?:\\[ \t])+/g)].map(({ index, 0: text }) => ({
    type: "word",
    named: true,
    start: start + index,
    end: start + index + text.length,
    children: [],
  }));

/** `""$HOME$x/`: where two expansions touch, the grammar may leave a dollar here and its name in a word there. */
const mendNames = (group: readonly Syntax[], source: string): readonly Syntax[] => {
  if (!group.some(endsInDollar)) return group;
  const flat = group.flatMap((node) => (node.type === "concatenation" ? node.children : [node]));
  return flat.flatMap((node, index): readonly Syntax[] => {
    const before = flat[index - 1];
    const end = node.end + (node.type === "$" ? nameAt(source, node.end) : 0);
    if (end > node.end) return [{ ...node, type: "simple_expansion", named: true, end }];
    if (before?.type !== "$" || node.type !== "word") return [node];
    return [{ ...node, start: node.start + nameAt(source, node.start) }];
  });
};

const nameAt = (source: string, at: number): number => NAME.exec(source.slice(at, at + 256))?.[0].length ?? 0;

const NAME = /^(?:[A-Za-z_]\w*|[0-9@*])/;

const endsInDollar = (node: Syntax): boolean => node.type === "$" || node.children.at(-1)?.type === "$";
