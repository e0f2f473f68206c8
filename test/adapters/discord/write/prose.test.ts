/** WD8 What Discord's Markdown lacks is written in a way that Discord shows, and no word is lost. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discordProse } from "../../../../adapters/discord/write/prose.ts";
import { neutralize } from "../../../../adapters/text/neutral.ts";

describe("WD8 Markdown that Discord lacks", () => {
  it.each([
    ["#### Deep", "**Deep**"],
    ["###### **Very** deep ##", "**Very deep**"],
    ["> #### Quoted", "> **Quoted**"],
    ["### Shown", "### Shown"],
    ["####no heading", "####no heading"],
    ["above\n\n---\n\nbelow", "above\n\n──────────\n\nbelow"],
    ["Title\n=====", "Title\n──────────"],
    ["- [ ] open\n- [x] done\n  1. [X] both", "- ☐ open\n- ☑ done\n  1. ☑ both"],
    ["- [a link](https://a.example)", "- [a link](https://a.example)"],
    ["see [x] there", "see [x] there"],
    [
      "| File | Use |\n|---|---|\n| `a.ts` | it \\| that |\n| b.ts | |",
      "**File** · **Use**\n- `a.ts` · it | that\n- b.ts",
    ],
    [
      "Before\n\n| A | B | C |\n|:-:|---|---|\n| 1 | 2<br>3 | 4 |\n\nAfter",
      "Before\n\n**A** · **B** · **C**\n- 1 · B: 2 / 3 · C: 4\n\nAfter",
    ],
    ["Before\n| A | B |\n|---|---|\n| 1 | 2 |", "Before\n\n**A** · **B**\n- 1 · 2"],
  ])("%j reads %j", (text, shown) => {
    expect(discordProse(text)).toBe(shown);
  });

  it("leaves code as it is", () => {
    const text = "```\n#### a\n---\n| a | b |\n|---|---|\n- [ ] c\n```";
    expect(discordProse(text)).toBe(text);
  });

  it("loses no word, and twice is as once", () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const line = fc.oneof(
      word,
      word.map((one) => `##### ${one}`),
      word.map((one) => `- [ ] ${one}`),
      fc.constant("---"),
      fc.constant(""),
      fc.array(word, { minLength: 2, maxLength: 4 }).chain((head) =>
        fc
          .array(fc.array(word, { minLength: head.length, maxLength: head.length }), { maxLength: 3 })
          .map((rows) =>
            ["", `| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`]
              .concat(rows.map((row) => `| ${row.join(" | ")} |`))
              .concat("")
              .join("\n"),
          ),
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.join("\n");
        const shown = discordProse(text);
        for (const one of words(text)) expect(words(shown)).toContain(one);
        expect(shown).not.toMatch(/^\|/m);
        expect(discordProse(shown)).toBe(shown);
        expect(neutralize(shown)).toBe(neutralize(neutralize(shown)));
      }),
    );
  });
});

const words = (one: string): readonly string[] => one.match(/[a-z]+/g) ?? [];
