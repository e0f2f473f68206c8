/** Names, codes and sentences from outside in the host's own lines: one line, nothing hidden, nothing that marks up. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as discord from "../../adapters/discord/write/render.ts";
import * as slack from "../../adapters/slack/write/markup.ts";
import { marksIn } from "../../adapters/console/render/render-host.ts";
import { hostile } from "./text/hostile.ts";
import { texts } from "./text/markdown.ts";
import { english } from "../../src/i18n/say.ts";

/** Every way to write what came from elsewhere; `shown`: without what the surface itself puts in. */
const writers = [
  ["Slack", slack, (text: string) => text.replaceAll(/(?<=[*_~`])\u200b/g, "")],
  ["Discord", discord, (text: string) => text],
  ["the console", marksIn(english), (text: string) => text],
] as const;

const HIDDEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0041}]/u;

describe.each(writers)("on %s", (_, { code, plain }, shown) => {
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
});

it("a code span of a chat platform ends where it ends, whatever it holds", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const { code } of [slack, discord]) expect(code(text)).toMatch(/^`[^`]+`$/);
    }),
    { numRuns: 500 },
  );
});
