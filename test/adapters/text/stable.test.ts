/** The beginning of a text that is being written: what is shown of it is the beginning of what is shown in the end (§2). */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralize } from "../../../adapters/text/neutral.ts";
import { splitMarkdown } from "../../../adapters/text/split.ts";
import { stableOf } from "../../../adapters/text/stable.ts";
import { ofWhole } from "../../sample.ts";
import { documents, texts } from "./markdown.ts";

const RUNS = ofWhole(1_000, 200);
const LIMIT = { units: "utf16", max: 400 } as const;

/** Texts that once broke a law; each runs again before the random ones. */
const found: readonly (readonly [string, number])[] = [];

const law = (name: string, holds: (text: string, at: number) => void): void =>
  it(name, () => {
    for (const [text, at] of found) holds(text, at);
    fc.assert(fc.property(fc.oneof(texts, documents), fc.nat(), holds), { numRuns: RUNS });
  });

const cut = (text: string, at: number): string => text.slice(0, at % (text.length + 1));

describe("the stable beginning", () => {
  law("is a beginning of the text, and grows with it", (text, at) => {
    const short = cut(text, at);
    expect(short.startsWith(stableOf(short))).toBe(true);
    expect(text.startsWith(stableOf(short))).toBe(true);
    expect(stableOf(`${text}\n\nEnd of it.\n`).length).toBeGreaterThanOrEqual(stableOf(short).length);
  });

  law("is shown as the whole text shows it", (text, at) => {
    const shown = neutralize(stableOf(cut(text, at))).trimEnd();
    expect(neutralize(text).slice(0, shown.length)).toBe(shown);
  });

  law("is cut to messages as the whole text is", (text, at) => {
    const begun = splitMarkdown(neutralize(stableOf(cut(text, at))), LIMIT);
    const whole = splitMarkdown(neutralize(text), LIMIT);
    expect(begun.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, begun.length - 1)));
    // Where a message turns out too small for what follows, the end of the newest may begin the next one.
    const last = begun.at(-1) ?? "";
    const now = whole[begun.length - 1] ?? "";
    expect(now.startsWith(last) || last.startsWith(now)).toBe(true);
  });

  it("holds back an open fence, a table that may go on, and words within open marks", () => {
    expect(stableOf("One line.\n```ts\nlet a")).toBe("One line.\n");
    expect(stableOf("```ts\nlet a\n```\nAnd more of")).toBe("```ts\nlet a\n```\nAnd more");
    expect(stableOf("Here:\n| a | b |\n|---|---|\n| 1 | 2 |\n")).toBe("Here:\n");
    expect(stableOf("See [the file")).toBe("See");
    expect(stableOf("Use `npm run")).toBe("Use");
    expect(stableOf("It is **very important")).toBe("It is");
    expect(stableOf("word")).toBe("");
  });

  it("keeps no more than the last words of prose to itself", () => {
    const prose = "The policy tries five times and waits twice as long each time. ".repeat(20);
    for (let at = 20; at < prose.length; at += 7) {
      expect(at - stableOf(prose.slice(0, at)).length).toBeLessThan(20);
    }
  });
});
