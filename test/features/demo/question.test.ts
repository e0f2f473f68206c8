/** A question is answered from what the tools found, whatever the repository is. */

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { repository, say, toolsIn } from "./world.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** `path:line` and the quoted line of each citation. */
const citations = (final: string): readonly { path: string; line: number; quote: string }[] =>
  [...final.matchAll(/^- `+ ?(\S+):(\d+) ?`+: (`+) ?(.*?) ?\3$/gm)].map(
    ([, path = "", line, , quote = ""]) => ({
      path,
      line: Number(line),
      quote,
    }),
  );

test.skipIf(!existsSync(join(ROOT, ".git")))(
  "this repository's retry policy is found in src/machine/retry.ts, with the lines that hold it",
  async () => {
    const { final, rounds } = await say("where is the retry policy implemented?", toolsIn(ROOT));
    expect(rounds.length).toBeLessThanOrEqual(2);
    expect(final).toMatch(/^The best match is `src\/machine\/retry\.ts`:/);

    const source = readFileSync(join(ROOT, "src/machine/retry.ts"), "utf8").split("\n");
    const lineOf = (text: string): number => source.findIndex((line) => line.includes(text)) + 1;
    const cited = citations(final).filter(({ path }) => path === "src/machine/retry.ts");
    expect(cited.map(({ line }) => line)).toEqual(
      expect.arrayContaining([
        lineOf("const MAX_RETRY_AFTER"),
        lineOf("const RETRYABLE"),
        lineOf("export const retryDelay"),
      ]),
    );
    expect(final).toContain("export const attemptText");
    for (const { path, line, quote } of citations(final)) {
      const text = readFileSync(join(ROOT, path), "utf8").split("\n")[line - 1] ?? "";
      expect(text.replaceAll(/\s+/g, " ").trim(), `${path}:${line}`).toContain(quote.replace(/…$/, ""));
    }
  },
);

test("any other repository gets a sensible answer: Python, odd file names, words with endings", async () => {
  const cwd = await repository({
    "it's here/date parser.py": "import re\n\n\ndef parse_date(text):\n    return text.split('-')\n",
    "tests/test_dates.py": "def test_parse_date():\n    assert parse_date('1-2')\n",
    "README.md": "Dates are parsed somewhere.\n",
  });
  const { final } = await say("Where are dates parsed?", toolsIn(cwd));
  expect(final).toMatch(/^The best match is `it's here\/date parser\.py`:/);
  expect(final).toContain("`it's here/date parser.py:4`: `def parse_date(text):`");
  expect(final).toContain("```py\n");
});

test("where nothing is found, that is said and the repository is shown", async () => {
  const cwd = await repository({ "README.md": "# Thing\n\nMakes things.\n" });
  const { final, rounds } = await say("where is frobnication handled?", toolsIn(cwd));
  expect(rounds).toHaveLength(2);
  expect(final).toMatch(/^I found nothing for `frobnication`\./);
  expect(final).toContain("Makes things.");
  // Its counts stand in one column.
  expect(final).toMatch(/```\n {2,}1 \.\/\n/);
});

test("an empty repository gets an answer", async () => {
  expect((await say("what is this project?", toolsIn(await repository({})))).final).toContain("scripted");
});

test("what a repository holds stays quoted: a fence in a file does not end the fence around it", async () => {
  const cwd = await repository({ "a.md": "retry\n```\n@everyone **retry** `x`\n```\nretry\n" });
  const { final } = await say("where is the retry policy?", toolsIn(cwd));
  expect(final).toContain("````md\n");
});

const name = fc.constantFrom("a.ts", "lib/b.py", "test/c.test.ts", "README.md");
const lineText = fc.constantFrom("const retry = 1;", "retry(x)", "backoff", "nothing here", "// attempt", "");
const output = fc
  .array(fc.record({ name, line: fc.integer({ min: 1, max: 99 }), text: lineText, isMatch: fc.boolean() }), {
    maxLength: 12,
  })
  .map((rows) =>
    rows
      .map((row) =>
        row.isMatch ? `${row.name}:${row.line}:${row.text}` : `${row.name}-${row.line}-${row.text}`,
      )
      .join("\n"),
  );

test("nothing is cited that no tool showed", async () => {
  await fc.assert(
    fc.asyncProperty(output, fc.boolean(), async (search, isReadable) => {
      const shown: string[] = [];
      const { final } = await say("where is the retry policy implemented?", async (tool, input) => {
        const command = typeof input["command"] === "string" ? input["command"] : "";
        if (tool === "think") return { text: "recorded", isError: false };
        if (command.startsWith("cat -n")) {
          if (!isReadable) return { text: "cat: no such file", isError: true };
          const path = /'\.\/([^']+)'/.exec(command)?.[1] ?? "";
          shown.push(`${path}:7:const retry = 7;`);
          return { text: "     7\tconst retry = 7;\n", isError: false };
        }
        const text = tool === "keyword_search" ? search : "";
        shown.push(text);
        return { text, isError: false };
      });
      for (const { path, line, quote } of citations(final)) {
        expect(shown.join("\n").split("\n")).toContain(`${path}:${line}:${quote}`);
      }
    }),
    { numRuns: 200 },
  );
});
