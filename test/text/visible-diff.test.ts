import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIRST_BYTE, visibleDiff } from "../../src/text/visible-diff.ts";
import { testSeed } from "../seed.ts";
import { unspelled } from "./unspelled.ts";

const NOTE = "a note";
const CRLF_NOTE = String.raw`\ ${NOTE}`;
const spell = (diff: string): string => visibleDiff(diff, NOTE);

/** As the byte 0xE9 stands in a diff. */
const BYTE = String.fromCodePoint(FIRST_BYTE + 0x69);

const head = (path: string): string => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
const one = (...lines: readonly string[]): string => `@@ -1,2 +1,2 @@\n${lines.join("\n")}`;

describe("WG6 line ends of a diff", () => {
  it("WG6 CR LF at every line is told once", () => {
    const diff = `${head("a")}${one(" same\r", "-old\r", "+new\r")}\n`;
    expect(spell(diff)).toBe(`${head("a")}${one(CRLF_NOTE, " same", "-old", "+new")}\n`);
  });

  it.each([
    ["a change of line ends", [" same\r", "-old", "+old\r"], "+old[U+000D]"],
    ["a CR inside a line", [" same\r", "-a\rb\r", "+c\r"], "-a[U+000D]b"],
    ["two CR at an end", [" same\r", "-a\r\r", "+c\r"], "-a[U+000D]"],
    ["CR alone as line end", [" same", "-a\rb\rc", "+d\re\r"], "+d[U+000D]e[U+000D]"],
  ])("WG6 %s stays visible", (_, lines, shown) => {
    expect(spell(`${head("a")}${one(...lines)}\n`).split("\n")).toContain(shown);
  });

  it("WG6 a last line without an end, and a second file with other ends, are as they are", () => {
    const first = `${head("a")}${one(" same\r", "-old", "\\ No newline at end of file", "+new\r")}\n`;
    const second = `${head("b")}${one(" same", "-old\r", "+new")}\n`;
    const shown = spell(first + second);
    expect(shown.split(CRLF_NOTE)).toHaveLength(2);
    expect(shown).toContain("\n-old\n\\ No newline");
    expect(shown).toContain("\n-old[U+000D]\n");
  });

  it("WG6 a file cannot write the note", () => {
    const diff = `${head("a")}${one(` ${CRLF_NOTE}`, `-${CRLF_NOTE}`, "+new\r")}\n`;
    expect(spell(diff).split("\n")).not.toContain(CRLF_NOTE);
    expect(spell(diff)).toContain("+new[U+000D]");
  });

  it("WG6 bytes that are no UTF-8 are shown as bytes, U+FFFD as it is, and a text that looks like a byte as text", () => {
    const diff = `${head("a")}${one(` gr${BYTE}n`, "-\ufffd", "+gr[0xE9]n")}\n`;
    expect(spell(diff)).toBe(`${head("a")}${one(" gr[0xE9]n", "-\ufffd", "+gr[U+005B]0xE9]n")}\n`);
  });

  it("WG6 what is shown, taken back, is the diff", () => {
    const line = fc
      .record({
        sign: fc.constantFrom(" ", "-", "+"),
        text: fc.constantFrom(
          "",
          "a",
          "a\rb",
          "--- a/b",
          "++ b/c",
          "@@ -1 +1 @@",
          "\u200b",
          "[U+000D]",
          "[0xE9]",
          "\ufffd",
          BYTE,
        ),
        end: fc.constantFrom("", "\r"),
      })
      .map(({ sign, text, end }) => sign + text + end);
    const file = fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 6 }), crlf: fc.boolean() });
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 3 }), (files) => {
        const diff = files
          .map(({ lines, crlf }) => {
            const all = crlf ? lines.map((text) => text.replace(/\r?$/, "\r")) : lines;
            const count = (sign: string): number => all.filter((text) => !text.startsWith(sign)).length;
            return `${head("f")}@@ -1,${count("+")} +1,${count("-")} @@\n${all.join("\n")}\n`;
          })
          .join("");
        expect(restored(spell(diff))).toBe(diff);
      }),
      { numRuns: 2_000, seed: testSeed() },
    );
  });
});

/** The exact diff again, from what is shown. */
const restored = (shown: string): string =>
  shown
    .split(/(?=^diff --git )/m)
    .map((file) => {
      const at = file.indexOf(`\n${CRLF_NOTE}\n`);
      if (at < 0) return exact(file);
      const hunks = file.slice(at + CRLF_NOTE.length + 2);
      return exact(file.slice(0, at + 1) + hunks.replaceAll(/^([ +-].*)$/gm, "$1\r"));
    })
    .join("");

const exact = (shown: string): string =>
  unspelled(shown.replaceAll(/\[0x([89A-F][0-9A-F])\]/g, "[U+10FF$1]"));
