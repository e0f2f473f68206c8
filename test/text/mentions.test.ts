/** Where an answer cites the repository, and what only looks like it. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { citationKey, fileOf, parseCitation } from "../../src/text/citation.ts";
import { mentionsOf } from "../../src/text/mentions.ts";
import { growthFault } from "../linear/growth.ts";

const cited = (text: string) => mentionsOf(text).map((one) => citationKey(one));
const certain = (text: string) =>
  mentionsOf(text)
    .filter((one) => one.certain)
    .map((one) => citationKey(one));

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,11}$/);
const place = fc
  .record({
    path: fc
      .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), name)
      .map(([dirs, last]) => `${dirs.join("/")}/${last}.ts`),
    from: fc.integer({ min: 1, max: 9_999 }),
    more: fc.integer({ min: 0, max: 50 }),
  })
  .map(({ path, from, more }) => ({ path, from, to: from + more }));
const written = ({ path, from, to }: { path: string; from: number; to: number }) =>
  fc.constantFrom(
    from === to ? `${path}:${from}` : `${path}:${from}-${to}`,
    from === to ? `${path}#L${from}` : `${path}#L${from}-L${to}`,
    ...(from === to ? [`${path}:${from}:7`] : []),
  );
const around = fc.constantFrom("", "**", "(", "`", '"', "[", "see ", "- ", "> ");
const BACK: Readonly<Record<string, string>> = { "**": "**", "(": ")", "`": "`", '"': '"', "[": "]" };

describe("citations in an answer", () => {
  it("each is found with its lines, whatever stands around it", () => {
    fc.assert(
      fc.property(
        fc.array(
          place.chain((one) =>
            fc.tuple(fc.constant(one), written(one), around, fc.constantFrom("", ".", ",", ":", ";", " and")),
          ),
          { minLength: 1, maxLength: 6 },
        ),
        (places) => {
          const text = places
            .map(([, word, before, behind]) => `${before}${word}${BACK[before] ?? ""}${behind}`)
            .join("\n\n");
          expect(certain(text)).toEqual(places.map(([one]) => citationKey(one)));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["`docs/Bug fix.md:3`", "docs/Bug fix.md:3-3"],
    ["see docs/Bug fix.md:3.", "docs/Bug fix.md:3-3"],
    ["(in docs/My old notes.md:3-4)", "docs/My old notes.md:3-4"],
    ["app/[id]/page.tsx:3", "app/[id]/page.tsx:3-3"],
    ["It is in app/(shop)/a,b=c.ts#L3.", "app/(shop)/a,b=c.ts:3-3"],
    ["`src/x (copy).ts:7`", "src/x (copy).ts:7-7"],
  ])("39.B4 %s may be a name with blanks or brackets", (text, key) => {
    const found = mentionsOf(text);
    expect(found.map((one) => citationKey(one))).toContain(key);
    // Everything shorter gives way to it.
    for (const one of found) if (citationKey(one) !== key) expect(one.within).toBe(key);
  });

  it.each(["在 src/a.ts:3。然后", "在 src/a.ts:3，然后", "（src/a.ts:3）", "「src/a.ts:3」を"])(
    "39.B4 %s cites src/a.ts",
    (text) => {
      expect(certain(text)).toEqual(["src/a.ts:3-3"]);
    },
  );

  it("nothing is found in fenced code, and everything behind it", () => {
    fc.assert(
      fc.property(place, fc.constantFrom("```", "~~~", "````ts", "- ```", "> ```"), (one, fence) => {
        const word = `${one.path}:${one.from}`;
        const end = fence.replace(/[a-z]+$/, "").replace(/^- /, "  ");
        const quote = fence.startsWith(">") ? "> " : "";
        expect(certain(`${fence}\n${quote}${word}\n${end}\n\n\`${word}\``)).toEqual([
          citationKey({ ...one, to: one.from }),
        ]);
        expect(certain(`${fence}\n${quote}${word}\n`)).toEqual([]);
      }),
    );
    // A fence ends where its quote does.
    expect(certain("> ```\n> code\na/b.ts:3\n")).toHaveLength(1);
  });

  it("mentions stand where they say, in order, and apart", () => {
    const piece = fc.oneof(
      place.chain(written),
      fc.constantFrom("`", "``", "[", "](", "<", ">", ")", "\n", "```\n", " ", "https://a.b/"),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        let end = 0;
        // A part of a longer name stands within that one.
        for (const { whole, after, path, within } of mentionsOf(text)) {
          expect(after).toBeLessThanOrEqual(text.length);
          expect(after).toBeGreaterThanOrEqual(end);
          if (whole === null || within !== undefined) continue;
          expect(text.slice(whole.at, whole.end)).toContain(path);
          expect(whole.at).toBeGreaterThanOrEqual(end);
          end = whole.end;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    "at 12:30, or 09:15:00",
    "http://localhost:8080/app.ts:3 and https://example.com:443/a/b.ts#L3",
    "<https://github.com/acme/api/blob/main/src/a.ts#L3>",
    "[the code](https://github.com/acme/api/blob/main/src/a.ts#L3)",
    "10.0.0.1:8080 and [::1]:443",
    "2026/01/02:10",
    "ratio 3:4, chapter 2:17",
    "v1.2.3 and node@24.1:3",
    "a::b, std::fmt:3x, key: 10",
    "C:\\src\\a.ts",
  ])("no citation: %s", (text) => {
    expect(certain(text)).toEqual([]);
  });

  it("what may be a host, an image or a word is asked for and never certain", () => {
    const text = "localhost:8080 docs.rs:443 example.com:443 redis:7 acme/app:12 Makefile:3 bin/parley:9";
    expect(cited(text)).toHaveLength(7);
    expect(certain(text)).toEqual([]);
  });

  it("39.D time grows with the text and no faster", () => {
    for (const unit of ["`", "a.ts:1 ", "[", "](", "a:", "<", "`a.ts:1` ", "(a,a:1", "a/b c.ts:1 "])
      expect(growthFault(mentionsOf, unit)).toBeNull();
  });
});

describe("the file that a citation means", () => {
  it("is named from the root, whether the answer said so or not", () => {
    expect(["src/a.ts", "./src/a.ts", "/work/src/a.ts"].map((path) => fileOf(path, "/work"))).toEqual(
      Array.from({ length: 3 }, () => "src/a.ts"),
    );
  });

  it("never lies outside", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("..", ".", "", "a", "work", "b.ts"), { minLength: 1, maxLength: 6 }),
        (parts) => {
          const file = fileOf(parts.join("/"), "/work");
          expect(file === null || !file.split("/").some((part) => ["", ".", ".."].includes(part))).toBe(true);
        },
      ),
    );
    expect(
      ["../a.ts", "/etc/passwd", "a/../../b.ts", "/work/../b.ts"].map((path) => fileOf(path, "/work")),
    ).toEqual([null, null, null, null]);
  });

  it("a word that is no path cites nothing", () => {
    expect([
      parseCitation(":3"),
      parseCitation("a b.ts:3"),
      parseCitation(`${"a".repeat(400)}.ts:3`),
    ]).toEqual([null, null, null]);
  });
});
