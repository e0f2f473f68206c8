/** A long Markdown text, the same every time: headings, lists, tables and fences for whoever renders or splits it. */

const CHAPTERS = 36;

export const longAnswer = (): string =>
  [
    "# A long answer",
    "This text is made by a script to show streaming, folding and splitting. Nothing in it is about your repository.",
    ...Array.from({ length: CHAPTERS }, (_, index) => chapter(index + 1)),
    "That was the end of the long answer.",
  ].join("\n\n");

const chapter = (no: number): string =>
  [
    `## Chapter ${no} of ${CHAPTERS}`,
    PARAGRAPHS[no % PARAGRAPHS.length],
    Array.from(
      { length: 6 },
      (_, index) => `${index + 1}. Point ${no}.${index + 1}: ${POINTS[(no + index) % POINTS.length]}`,
    ).join("\n"),
    `- An item with a list below it:\n  - one with \`inline code\`\n  - one with **bold** and *italic* words\n  - one with letters of three sizes: é, 世, 🧭`,
    table(no),
    fence(no),
    `> A quotation in chapter ${no}: what is true of the part need not be true of the whole.`,
  ].join("\n\n");

const PARAGRAPHS = [
  "A person who reads a long answer wants to see where it begins, how far it has come, and that nothing is missing when it is done. Whoever shows it may break it into pieces, but never inside a letter, and a fence that is cut has to be closed and opened again.",
  "While the text comes in, the place that shows it is changed many times. It may be changed less often than the text grows, as long as the last change holds everything. If the platform says that it is too much, one change at the end is enough.",
  "Tables are the hardest part: half a table is no table. Lists are easier, because every line of a list can stand alone. Code is between the two, since its lines belong together but its end can be marked by whoever cuts it.",
];

const POINTS = [
  "short lines are read first, so the first line says what the rest is about.",
  "a number that is repeated later is repeated exactly.",
  "what is quoted is marked as a quotation.",
  "a reference names the place and not the page.",
  "the order of the points is the order in which they are needed.",
  "what was left out is said at the end.",
  "words of others stay as they were.",
];

const table = (no: number): string =>
  [
    "| Part | Bytes | Share |",
    "|:---|---:|:---:|",
    ...Array.from(
      { length: 5 },
      (_, row) => `| ${no}.${row + 1} | ${no * 1000 + row * 37} | ${(no * 7 + row * 13) % 100} % |`,
    ),
  ].join("\n");

const fence = (no: number): string =>
  [
    "```ts",
    `/** Example ${no}: the sum of the first numbers. */`,
    `export const sum${no} = (upTo: number): number => {`,
    "  let total = 0;",
    `  for (let at = 1; at <= upTo; at += ${(no % 3) + 1}) total += at;`,
    "  return total;",
    "};",
    "```",
  ].join("\n");
