/** What a site lets programs read, and how words are told apart. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { readRobots } from "../../../src/features/knowledge/site/robots.ts";
import { excerptOf } from "../../../src/features/knowledge/excerpt.ts";
import { toIndexText, termsOf } from "../../../src/text/terms.ts";

const may = (robots: string, path: string): boolean =>
  readRobots(robots, "parley").mayRead(new URL(path, "https://docs.example.com"));

it.each([
  ["", "/a", true],
  ["User-agent: *\nDisallow:", "/a", true],
  ["User-agent: *\nDisallow: /", "/a", false],
  ["User-agent: other\nDisallow: /", "/a", true],
  ["User-agent: other\nUser-agent: PARLEY\nDisallow: /a", "/ab", false],
  ["User-agent: *\nDisallow: /\nUser-agent: parley\nAllow: /", "/a", true],
  ["User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true],
  ["User-agent: *\nDisallow: /*.php$", "/x/index.php", false],
  ["User-agent: *\nDisallow: /*.php$", "/x/index.php?a", true],
  ["User-agent: *\nDisallow: /*/private*/x", "/a/private-1/x", false],
  ["User-agent: *\r\nDisallow: /a # closed\r\n", "/a", false],
])("%j lets %s be read: %s", (robots, path, expected) => {
  expect(may(robots, path)).toBe(expected);
});

it("a pattern of nothing but stars takes no longer than any other", () => {
  const robots = `User-agent: *\nDisallow: /${"*a".repeat(900)}b`;
  expect(may(robots, `/${"a".repeat(280)}`)).toBe(true);
});

it("how long a site wants between two pages is bounded", () => {
  expect(readRobots("User-agent: *\nCrawl-delay: 2", "parley").pause).toBe(2_000);
  expect(readRobots("User-agent: *\nCrawl-delay: 86400", "parley").pause).toBe(30_000);
  expect(readRobots("User-agent: *\nCrawl-delay: soon", "parley").pause).toBe(0);
});

it("words without blanks between them are found by two neighbouring signs", () => {
  expect(toIndexText("再試行の設定").trim().split(" ")).toContain("試行");
  expect(termsOf("試行")).toEqual(["試行"]);
});

it("a question's words are what can tell anything; where none can, all are taken", () => {
  expect(termsOf("How do I restart the worker?")).toEqual(["restart", "worker"]);
  expect(termsOf("how is it")).toEqual(["how", "is", "it"]);
  fc.assert(fc.property(fc.string(), (text) => termsOf(text).every((term) => !/["\0]/.test(term))));
});

it("an excerpt is a part of its text, no longer than is asked for but for what says so", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), fc.array(fc.string()), (text, terms) => {
      const excerpt = excerptOf(text, terms, 40);
      expect(excerpt.length).toBeLessThanOrEqual(Math.max(44, text.length <= 40 ? text.length : 44));
    }),
  );
  expect(
    excerptOf(`${"nothing here\n".repeat(50)}the walrus is found\n${"nothing\n".repeat(50)}`, ["walrus"], 60),
  ).toMatch(/walrus is found/);
});
