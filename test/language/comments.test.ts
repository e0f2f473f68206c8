import { describe, expect, it } from "vitest";
import { commentsIn } from "./comments.ts";
import { readBlocks, trackedFiles } from "./sentences.ts";

describe("comments of a file", () => {
  it("are blocks with the number of their first line", () => {
    const source = [
      "/** One. */",
      "const a = 1; // not alone on its line",
      "/*",
      " * Two",
      " * lines.",
      " */",
      "// Three",
      "// runs on.",
      "",
      "// Four.",
      "/* a */ /* b */",
    ].join("\n");
    expect(commentsIn(source)).toEqual([
      { line: 1, text: "One." },
      { line: 3, text: "Two lines." },
      { line: 7, text: "Three runs on." },
      { line: 10, text: "Four." },
      { line: 11, text: "a" },
    ]);
  });

  it("name no file that does not exist", () => {
    const all = trackedFiles(".");
    const exists = (name: string): boolean =>
      name.includes("NAME") || all.some((file) => file === name || file.endsWith(`/${name}`));
    const sources = all.filter((file) =>
      /^(?:src|adapters|sandbox|packaging|test|bin)\/.*\.(?:ts|c|h|mjs|js)$/.test(file),
    );
    const named = sources.flatMap((file) =>
      readBlocks(file).flatMap(({ line, text }) =>
        [...text.matchAll(NAMED_FILE)].map(([name]) => ({ where: `${file}:${line}`, name })),
      ),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ name }) => !exists(name) && !OF_OTHERS.has(name))).toEqual([]);
  });
});

const NAMED_FILE = /(?<![\w./-])(?:[\w-]+\/)*[\w-]+\.(?:ts|c|h|md|mjs|js|sql)\b(?!\.)/g;
/** Files of other projects and of the repositories that people bring. */
const OF_OTHERS = new Set([
  "world.md",
  "sandbox.md",
  "discord.js",
  "a.ts",
  "posts.js",
  "fix.md",
  "AGENTS.md",
]);
