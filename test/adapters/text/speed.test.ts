/** Splitting takes time in proportion to the text, whatever the text: a hundred thousand characters of anything. */

import { describe, expect, it } from "vitest";
import { neutralise } from "../../../adapters/text/neutral.ts";
import { splitPieces } from "../../../adapters/text/split.ts";
import { quoteUntrusted } from "../../../src/text/quotes.ts";
import { joinPieces } from "./markdown.ts";

const SIZE = 100_000;

const fill = (part: string): string => part.repeat(Math.ceil(SIZE / part.length)).slice(0, SIZE);

const texts: Readonly<Record<string, string>> = {
  prose: fill(`${"Some words in a sentence, and more. ".repeat(10)}\n\n`),
  "one line": fill("word "),
  "no spaces": fill("x"),
  backticks: fill("`"),
  "backticks of every length": Array.from({ length: 447 }, (_, size) => "`".repeat(size)).join(" "),
  "nested quotes": `${">".repeat(100_000)}x`,
  "lines of nested quotes": fill(`${">".repeat(1_000)}x\n`),
  "nested items": fill("- "),
  "deep lists": Array.from({ length: SIZE / 20 }, (_, line) => `${" ".repeat(line % 40)}- x`).join("\n"),
  "short lines": fill("ab\n"),
  "blank lines": `\`\`\`js\n${"\n".repeat(SIZE)}x`,
  "blank runs": fill(`x${"\n".repeat(5_000)}`),
  fences: fill("```\na\n```\n"),
  "one fence": `\`\`\`js\n${fill("code line here();\n")}`,
  "table rows": `| a | b |\n|---|---|\n${fill("| 1 | 2 |\n")}`,
  brackets: fill("[]("),
  "open brackets": fill("["),
  tags: fill("<a "),
  escapes: fill("\\"),
  emphasis: fill("** a "),
  families: fill("👩‍👩‍👧‍👦"),
  flags: fill("🇩🇪"),
  "one cluster": `a${"\u0301".repeat(SIZE)}`,
  han: fill("漢字。"),
};

describe("a hundred thousand characters are split in a fraction of a second", () => {
  for (const [name, text] of Object.entries(texts)) {
    it(name, () => {
      const took = [64, 2_000, 40_000].map((max) => {
        const begun = performance.now();
        const split = splitPieces(text, { units: "utf16", max });
        const ended = performance.now();
        expect(joinPieces(split) === text).toBe(true);
        return Math.round(ended - begun);
      });
      console.log(`split ${name}: ${took.join(", ")} ms at 64, 2,000 and 40,000 a piece`);
      // Ten times what it takes: tells linear from quadratic, not a busy machine from an idle one.
      expect(Math.max(...took)).toBeLessThan(1_500);
    });
  }
});

const hostile: Readonly<Record<string, string>> = {
  ...texts,
  labels: fill("[[[[](x)"),
  "nested labels": `${"[".repeat(30_000)}x${"](x)".repeat(17_000)}`,
  images: fill("![a](b)"),
  addresses: fill("https://a.example "),
  schemes: fill("https://"),
  "bracketed addresses": fill("https://a(((("),
  "cut mentions": fill("<@"),
  "cut links": fill("<https://x|"),
  entities: fill("&#"),
  "code in tables": fill("|`|`"),
  joiners: fill("\u200d"),
};

describe("a hundred thousand characters are made harmless and quoted in a fraction of a second", () => {
  for (const [name, text] of Object.entries(hostile)) {
    it(name, () => {
      const begun = process.cpuUsage();
      neutralise(text);
      quoteUntrusted({ author: text, text, at: 0 });
      const took = process.cpuUsage(begun).user / 1_000;
      console.log(`neutralise and quote ${name}: ${Math.round(took)} ms of CPU time`);
      expect(took).toBeLessThan(2_500);
    });
  }
});
