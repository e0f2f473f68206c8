import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, SECRET, type World } from "../world.ts";

const filler = (word: string, lines: number): string => `${word} ${"x".repeat(60)}\n`.repeat(lines);

let world: World;
beforeAll(async () => {
  world = await createWorld({
    "src/retry.ts": "// Retry policy\nexport const attempts = 3;\nexport const backoff = (n) => 2 ** n;\n",
    "src/client.ts": 'import { attempts } from "./retry.ts";\n\n// retries with backoff\n',
    "docs/readme.md": "Nothing of interest.\n",
    ".github/workflows/ci.yml": "run: retry\n",
    ".gitignore": "built/\n",
    "built/out.js": "retry backoff attempts\n",
    "dir with spaces/ünïcode - 1.txt": "a rare-word: 7-8\n",
    "binary.dat": "retry\u0000backoff",
    "env.txt": `token ${SECRET}\n`,
    "wide.txt": filler("everywhere", 2000),
    "first.txt": filler("alpha", 700),
    "second.txt": filler("beta", 700),
    "third.txt": filler("gamma", 700),
    "code.ts": "call(a[0]\n",
    "long.txt": `needle${"y".repeat(5000)}\n`,
    "link-target.txt": "target\n",
    ".ignore": "*.gen\n",
    ".rgignore": "*.rg\n",
    "seen.gen": "kept-word\n",
    "seen.rg": "kept-word\n",
    "spread.txt": Array.from({ length: 80 }, (_, no) => `scattered ${no}\n${filler("gap", 24)}`).join(""),
    "far.txt": `${filler("far", 1_499)}x\0y\nlate-word\n`,
    "early-and-late.txt": `late-word\n${filler("far", 1_500)}x\0y\nlate-word again\n`,
    "near.bin": "x\0y late-word\nlate-word\n",
    "min.js": `${"a".repeat(40_000)};minifiedName=1;min((${"b".repeat(40_000)}\n`,
  });
  // As after git add -f, and one that nobody added.
  await world.write("forced.log", "kept-word\n");
  execFileSync("git", ["-C", world.work, "add", "forced.log"]);
  await world.write("loose.log", "kept-word\n");
  await world.write(".gitignore", "built/\n*.log\n");
});
afterAll(() => world.close());

const search = (terms: unknown, options: Parameters<World["call"]>[2] = { permission: world.reading }) =>
  world.call("keyword_search", { query: "where is it?", search_terms: terms }, options);
const text = async (terms: unknown) => (await search(terms)).text;

describe("keyword_search", () => {
  it("finds all terms, ignoring case, and cites lines that are there", async () => {
    const found = await text(["retry", "backoff", "attempts"]);
    expect(found.split("\n")[0]).toBe("src/retry.ts:1:// Retry policy");
    const cited = found.split("\n").flatMap((line) => {
      const [, path, number, content] = /^(.+?):(\d+):(.*)$/.exec(line) ?? [];
      return path === undefined ? [] : [{ path, number: Number(number), content }];
    });
    expect(cited.map(({ path }) => path)).toContain(".github/workflows/ci.yml");
    for (const { path, number, content } of cited) {
      expect(readFileSync(join(world.work, path), "utf8").split("\n")[number - 1]).toBe(content);
    }
  });

  it("ranks the file with more of the terms first, and leaves ignored and binary files out", async () => {
    const found = await text(["attempts", "backoff", "policy"]);
    expect(found.indexOf("src/retry.ts:1:")).toBe(0);
    expect(found).toContain("src/client.ts:3:// retries with backoff");
    expect(found).not.toMatch(/built|binary\.dat|readme/);
  });

  it("works in Unrestricted too", async () => {
    expect((await search(["policy"], { permission: "unrestricted" })).text).toContain("src/retry.ts:1:");
  });

  it.each<[string, unknown, string]>([
    ["paths with spaces and separators", ["rare-word"], "dir with spaces/ünïcode - 1.txt:1:a rare-word: 7-8"],
    [
      "regular expressions",
      ["export const b\\w+f"],
      "src/retry.ts-1-// Retry policy\nsrc/retry.ts-2-export const attempts = 3;\nsrc/retry.ts:3:export const backoff = (n) => 2 ** n;",
    ],
    ["what is no regular expression, as plain text", ["call(a[0"], "code.ts:1:call(a[0]"],
    ["a term that looks like an option", ["--version"], "No matches found for the given search terms."],
    ["nothing", ["no such words anywhere"], "No matches found for the given search terms."],
  ])("searches for %s", async (_, terms, expected) => {
    expect(await search(terms)).toMatchObject({ text: expected, isError: false });
  });

  it("shows no known secret", async () => {
    expect(await text(["token"])).toBe("env.txt:1:token ***");
  });

  it("shows a very long line in part", async () => {
    const found = await text(["needle"]);
    expect(found.startsWith("long.txt:1:[long line] …needleyyy")).toBe(true);
    expect(found.length).toBeLessThan(500);
  });

  it.each<[unknown, string]>([
    [[], "At least one search term is required"],
    [["", "  "], "At least one search term is required"],
    ["retry", "Invalid input: search_terms: expected array, received string"],
    [["a\nb"], "Invalid input: search_terms.0: must be one line"],
  ])("answers %j with an error", async (terms, message) => {
    expect(await search(terms)).toMatchObject({ text: message, isError: true });
  });

  it("39.B5 shows the first matches of a term that matches too much, and says so", async () => {
    const found = await text(["everywhere", "policy"]);
    expect(found).toMatch(/^src\/retry\.ts:1:|^wide\.txt:1:/);
    expect(found).toContain("wide.txt:1:everywhere");
    expect(found.endsWith("\n\n[only the first matches were read of `everywhere`]")).toBe(true);
  });

  it("39.B5 finds a word that stands in eighty lines far apart, with less context", async () => {
    const found = await text(["scattered"]);
    expect(found).toContain("spread.txt:1:scattered 0");
    expect(found).toMatch(/spread\.txt:\d+:scattered 7|results truncated/);
    expect(found).not.toContain("left out");
  });

  it("39.B5 WG2 finds tracked files that ignore files name, and no untracked ones", async () => {
    const found = await text(["kept-word"]);
    expect(found.split("\n").toSorted()).toEqual(
      ["forced.log:1:kept-word", "--", "--", "seen.gen:1:kept-word", "seen.rg:1:kept-word"].toSorted(),
    );
  });

  it("39.B5 finds matches behind a NUL that stands far down, and none in binary files", async () => {
    const found = await text(["late-word"]);
    expect(found).toContain("far.txt:1501:late-word");
    expect(found).toContain("early-and-late.txt:1:late-word");
    expect(found).toContain("early-and-late.txt:1503:late-word again");
    expect(found).not.toContain("near.bin");
  });

  it("WG6 shows what stands around matches far right in a long line", async () => {
    const found = await text(["minified\\w+", "min(("]);
    expect(found).toMatch(/min\.js:1:\[long line\] …a{60,100};minifiedName=1;min\(\(b{60,100}…/);
    expect(found.length).toBeLessThan(2_000);
  });

  it("leaves out terms from the end until the rest is small enough, and cuts the answer", async () => {
    const found = await text(["policy", "alpha", "beta", "gamma"]);
    expect(found).toMatch(/^first\.txt:1:alpha|^src\/retry\.ts:1:/);
    expect(found).toContain("[results truncated]");
    expect(found.endsWith("\n\n[left out because they match too much: `gamma`]")).toBe(true);
    expect(found.length).toBeLessThan(24_200);
  });

  it("can be cancelled", async () => {
    expect(await search(["retry"], { permission: world.reading, signal: AbortSignal.abort() })).toMatchObject(
      {
        text: "[search cancelled]",
        isError: true,
      },
    );
  });
});
