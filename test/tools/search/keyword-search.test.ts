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
  });
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
    expect(found.startsWith("long.txt:1:needleyyy")).toBe(true);
    expect(found.length).toBeLessThan(500);
  });

  it.each<[unknown, string]>([
    [[], "At least one search term is required"],
    [["", "  "], "At least one search term is required"],
    [["everywhere"], "Each of those search terms yielded too many results. Try more specific terms."],
    ["retry", "Invalid input: search_terms: expected array, received string"],
    [["a\nb"], "Invalid input: search_terms.0: must be one line"],
  ])("answers %j with an error", async (terms, message) => {
    expect(await search(terms)).toMatchObject({ text: message, isError: true });
  });

  it("leaves out a term that matches too much, and says so", async () => {
    const found = await text(["everywhere", "policy"]);
    expect(found).toMatch(/^src\/retry\.ts:1:/);
    expect(found.endsWith("\n\n[left out because they match too much: `everywhere`]")).toBe(true);
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
