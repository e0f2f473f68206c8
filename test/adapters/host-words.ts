/** Laws of every way to write what came from elsewhere in the host's own lines. */

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Formatter } from "../../src/thread/formatter.ts";
import { hostile } from "./text/hostile.ts";
import { texts } from "./text/markdown.ts";

const HIDDEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0041}]/u;

/** `shown`: without what the surface itself puts in. */
export const hidesNothing = (
  { code, plain }: Pick<Formatter, "code" | "plain">,
  shown: (text: string) => string,
): void => {
  it("nothing hides in them and they stay on their line, whatever they are", () => {
    const any = fc.oneof(hostile, texts, fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(any, (text) => {
        for (const written of [code(text), plain(text)]) {
          expect(shown(written)).not.toMatch(HIDDEN);
          expect(written).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
          expect(written.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("40.A2 every character that does not show is named, in code and in prose", () => {
    expect(code("over\u200bloaded\u2060_error\ufeff")).toContain("over[U+200B]loaded[U+2060]_error[U+FEFF]");
    expect(shown(plain("over\u200bloaded\u2060 error\ufeff")).replaceAll("\\", "")).toBe(
      "over[U+200B]loaded[U+2060] error[U+FEFF]",
    );
    expect(code("abc\u202etxt.exe")).toContain("abc[U+202E]txt.exe");
  });

  it("what shows nothing is a code span all the same", () => {
    expect(code("")).toBe("`?`");
    expect([" ", "\u200b", "\u2060\n"].map(code)).toEqual(["`[U+0020]`", "`[U+200B]`", "`[U+2060][U+000A]`"]);
  });
};
