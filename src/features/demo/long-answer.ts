/** A long Markdown text, the same every time: headings, lists, tables and fences for whoever renders or splits it. */

const CHAPTERS = 48;

export const longAnswer = (): string =>
  [
    "# A long answer",
    "This text is made by a script to show streaming, folding and splitting. Nothing in it is about your repository.",
    ...Array.from({ length: CHAPTERS }, (_, index) => chapter(index + 1)),
    "That was the end of the long answer.",
  ].join("\n\n");

const chapter = (no: number): string => `## Chapter ${no} of ${CHAPTERS}

A person who reads a long answer wants to see where it begins, how far it has come, and that nothing is missing when it is done. Whoever shows it may break it into pieces, but never inside a letter, and a fence that is cut has to be closed and opened again.

1. The first line says what the rest is about.
2. A number that is repeated later is repeated exactly: ${no * 1037}.

- An item with a list below it:
  - one with \`inline code\`
  - one with **bold** and *italic* words
  - one with letters of three sizes: é, 世, 🧭

| Part | Bytes | Share |
|:---|---:|:---:|
| ${no}.1 | ${no * 1000} | ${(no * 7) % 100} % |
| ${no}.2 | ${no * 1037} | ${(no * 13) % 100} % |

\`\`\`ts
/** Example ${no}: the sum of the first numbers. */
export const sum${no} = (upTo: number): number => (upTo * (upTo + 1)) / 2;
\`\`\`

> A quotation in chapter ${no}: what is true of the part need not be true of the whole.`;
