/** WG5: text that a person decides on shows each character that does not print, and can be taken back to what it was. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralize } from "../../adapters/text/neutral.ts";
import { fencedText } from "../../adapters/text/changes.ts";
import { discordCode, discordPlain } from "../../adapters/discord/write/render.ts";
import { slackCode } from "../../adapters/slack/write/markup.ts";
import { visibleCode, spellInvisible, spellInvisibleInProse } from "../../src/text/invisible.ts";
import { unspelled } from "./unspelled.ts";
import { entryFault } from "../../src/workspace/drafts/entry-faults.ts";
import { ofWhole } from "../sample.ts";

const RUNS = ofWhole(5_000, 400);
/** Found by this property, or by people: each runs again before the random ones. */
const SEEDS: readonly string[] = [
  "rm -rf build\r# src is kept",
  "rm -rf build\u2028# src is kept",
  "deploy\u3164.sh",
  "src/auth\u200b.ts",
  "[U+3164]",
  "[U+005B]U+3164]",
  "a\ud800",
  "\u0645\u06cc\u200c\u200c\u062e",
  "a\ufe0f",
  "```\n<@U1>\n```",
  "\ufe0f\n\t\n\r",
];
const FILE = { change: "added", added: 1, removed: 0 } as const;
const EVERY = Array.from({ length: 0x110000 }, (_, point) => point);
const unit = fc.oneof(
  fc.constantFrom(
    "\r",
    "\u2028",
    "\u2029",
    "\u0085",
    "\u3164",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u202e",
    "\u00a0",
  ),
  fc.constantFrom(
    "\ufe0f",
    "👩",
    "❤",
    "1",
    "ی",
    "م",
    "\u094d",
    "[U+",
    "A]",
    "`",
    "```",
    "<@U1>",
    "\n",
    "\t",
    " ",
    "a",
  ),
  fc.string({ unit: "binary", maxLength: 2 }),
);
const texts = fc.array(unit, { maxLength: 30 }).map((parts) => parts.join(""));
const examples = SEEDS.map((seed): [string] => [seed]);

const file = (path: string) =>
  entryFault({ ...FILE, path, old: null, new: { mode: "100644", blob: "a".repeat(40) } });

/** Blank lines at both ends say nothing to the shell, and nobody sees the blanks of one between. */
const visible = (text: string): string =>
  text.replaceAll(/^(?:[ \t]*\n)+|[ \t\n]+$/g, "").replaceAll(/\n[ \t]+(?=\n)/g, "\n");

describe("WG5 what a card shows", () => {
  it("taken back, is exactly what runs", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(unspelled(spellInvisible(text))).toBe(text);
        expect(unspelled(visibleCode(text))).toBe(text === "" ? "?" : text);
      }),
      { numRuns: RUNS, examples },
    );
  });

  it("of a command in a block of code, taken back, is that command on its own lines", () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(text.trim() !== "");
        // The host's own breaks inside of fences and mentions are the only hidden characters.
        const lines = neutralize(fencedText(spellInvisible(text)))
          .replaceAll("\u200b", "")
          .split("\n");
        expect(visible(unspelled(lines.slice(1, -1).join("\n")))).toBe(visible(text));
      }),
      { numRuns: RUNS, examples },
    );
  });

  it("has no character that does not print, of all that Unicode has", () => {
    const found = EVERY.filter((point) => {
      const shown = spellInvisible(`a${String.fromCodePoint(point)}b`);
      return /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Cn}\p{Co}\u2028\u2029]/u.test(
        shown.replaceAll(/[\n\t]/g, ""),
      );
    });
    expect(found).toEqual([]);
  });

  it("of two names that differ, differs", () => {
    const names = ["src/auth.ts", "src/auth\u200b.ts", "src/\u3164auth.ts", "src/auth.ts ", "src/auth`.ts"];
    for (const code of [discordCode, slackCode]) expect(new Set(names.map(code)).size).toBe(names.length);
    expect(discordCode("a\u202eb")).toBe("`a[U+202E]b`");
    expect(discordPlain("a\u202eb")).toBe("a\\[U+202E\\]b");
  });

  it("of Persian, Hindi and emoji is as it was written", () => {
    for (const text of [
      "می\u200cخواهم",
      "क्\u200dष",
      "👨\u200d👩\u200d👧",
      "❤️",
      "1️⃣",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      "👍🏽",
      "🇩🇪",
      "x²",
    ]) {
      expect(spellInvisible(text)).toBe(text);
      expect(spellInvisibleInProse(text)).toBe(text);
    }
    expect(spellInvisibleInProse("Pourquoi\u00a0?\r\nParce que")).toBe("Pourquoi\u00a0?\nParce que");
  });

  it("of a draft has no file whose name hides something, and every honest one", () => {
    for (const path of [
      "a\u3164",
      "a\u115f",
      "a\u00ad",
      "a\u034f",
      "a\u{e0001}",
      "a\ufe0f",
      "a\rb",
      "a\u2028b",
    ])
      expect(file(path)).toMatch(/\[U\+[0-9A-F]{4,5}\].* has characters/);
    for (const path of ["x²", "می\u200cخواهم.md", "❤️.md", "Screenshot 9.41\u202fAM.png", "日本.md"])
      expect(file(path)).toBeNull();
  });
});
