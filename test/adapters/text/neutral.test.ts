/** Model text in chat: pings nobody, masks and hides nothing, speaks for nobody, and says all the same what it said. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNeutralizer, neutralize } from "../../../adapters/text/neutral.ts";
import { splitMarkdown } from "../../../adapters/text/split.ts";
import { hostile } from "./hostile.ts";
import { documents, texts } from "./markdown.ts";
import { discordProse, readMarkdown } from "./platforms.ts";
import { ofWhole } from "../../sample.ts";

const RUNS = ofWhole(1_000, 150);

/** Texts that once broke a law; each runs again before the random ones. */
const found: readonly string[] = [
  "<![x](javascript:alert(1))",
  "<\\<@U123|ann>",
  "<<@&123>>",
  "[good.example](<https://evil.example/x> 'title')]()",
  "https://evil.example&lt;discord.gg/abc",
  "<http://``>``",
  "<`",
  "[~~~](x)\n```\n~~~\n[good.example](https://evil.example)\n```",
  `${"~".repeat(17)}\n\`\`\`\n${"~".repeat(17)}\n[good.example](https://evil.example)\n\`\`\``,
  "[\n~~~\n]: https://evil.example",
  "[a\nb\n~~~\n]: https://evil.example",
  "~~~\ufe0f",
  "```\ufe0f```",
  "\ufe0f\u00ad\ufe0f",
  "|||",
  "\\|||",
  "a ||b|| c\n>>> d",
  "||\n```\nx\n```\n||",
];

const law = (name: string, holds: (shown: string) => void): void =>
  it(name, () => {
    for (const text of found) inPieces(text, holds);
    const any = fc.oneof({ weight: 3, arbitrary: hostile }, texts, documents);
    fc.assert(
      fc.property(any, (text) => inPieces(text, holds)),
      { numRuns: RUNS },
    );
  });

it("only the addresses that are named are links, whatever wrote them, and the others are code", () => {
  const links = ["https://docs.example/rates?page=2"];
  for (const [text, shown] of [
    ["See https://docs.example/rates?page=2.", "See <https://docs.example/rates?page=2>."],
    ["See HTTPS://DOCS.example/rates?page=2.", "See <HTTPS://DOCS.example/rates?page=2>."],
    [
      "[rates](https://docs.example/rates?page=2)",
      "rates ([docs.example](<https://docs.example/rates?page=2>))",
    ],
    ["See https://docs.example/rates?page=2&d=1.", "See `https://docs.example/rates?page=2&d=1`."],
    ["See https://docs.example/Rates?page=2.", "See `https://docs.example/Rates?page=2`."],
    ["[rates](https://evil.example/?d=1)", "rates (`https://evil.example/?d=1`)"],
    ["![rates](https://evil.example/?d=1)", "rates (`https://evil.example/?d=1`)"],
    ["<https://evil.example/?d=1|rates>", "rates (`https://evil.example/?d=1`)"],
    [
      "[https://docs.example/rates?page=2](https://evil.example/)",
      "<https://docs.example/rates?page=2> (`https://evil.example/`)",
    ],
  ] as const)
    expect(neutralize(text, links)).toBe(shown);
});

const inPieces = (text: string, holds: (shown: string) => void): void => {
  const shown = neutralize(text);
  holds(shown);
  for (const piece of splitMarkdown(shown, { units: "utf16", max: 1_000 })) holds(piece);
};

describe("laws of model text, whole and in pieces", () => {
  law("nobody is pinged: no sequence that a platform reads stands anywhere, code included", (shown) => {
    expect(shown).not.toMatch(/<(?:@|#|!)[^\s<>]*>|<https?:[^\s<>]*\|/i);
    expect(discordProse(shown)).not.toMatch(/@(?:everyone|here|channel|group)/i);
  });

  law(
    "what can be clicked shows its host or is its address, nothing is loaded, nothing is defined",
    (shown) => {
      const { links, images, definitions } = readMarkdown(shown);
      for (const link of links) {
        const url = new URL(link.href);
        expect([url.host, url.host.replaceAll(/[[\]]/g, ""), link.href]).toContain(link.shown);
        expect(url.username).toBe("");
        expect(["http:", "https:"]).toContain(url.protocol);
      }
      expect(images).toBe(0);
      expect(definitions).toBe(0);
    },
  );

  law(
    "Discord, which ends code elsewhere, finds no masked link, no bare link and no invite either",
    (shown) => {
      const prose = discordProse(shown);
      expect(prose.replaceAll(/<https?:\/\/[^\s<>]+>/gi, "")).not.toMatch(/https?:\/\/[^\s]/i);
      for (const [, label = "", host = ""] of prose.matchAll(/\[([^[\]]*)\]\(<https?:\/\/([^/?#>]*)/gi)) {
        expect(label).toBe(new URL(`https://${host}`).host);
      }
      expect(prose).not.toMatch(/(?<!\\)\]\((?!<https?:)/);
      expect(shown).not.toMatch(/discord\.gg\/|discord\.com\/invite/i);
    },
  );

  law("no HTML and no comment", (shown) => {
    expect(readMarkdown(shown).html).toEqual([]);
  });

  law("nothing invisible changes what is read", (shown) => {
    expect(shown).not.toMatch(/[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0041}]/u);
    expect(shown).not.toMatch(/\u200b(?![a-z@!#&`])/i);
    expect(shown).not.toMatch(/\p{M}{9}/u);
    // oxlint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
    expect(shown.isWellFormed()).toBe(true);
  });

  law("no mark of the host stands outside of a fence", (shown) => {
    expect(discordProse(shown)).not.toMatch(/^[\s>]*-#/m);
  });

  law("WD8 no spoiler of Discord hides a line, and no quote takes the rest of a message", (shown) => {
    const unescaped = discordProse(shown).replaceAll(/\\[^0-9A-Za-z\s]/g, "\u0000");
    expect(unescaped).not.toMatch(/\|\|/);
    expect(discordProse(shown)).not.toMatch(/^[^\S\n]*>>>/m);
  });

  it("WD8 prose keeps its bars, a table its cells, and code is as it was", () => {
    expect(neutralize("a || b and ||secret||")).toBe("a \\|| b and \\||secret\\||");
    expect(neutralize("`a || b`\n```\nif (a || b)\n```")).toBe("`a || b`\n```\nif (a || b)\n```");
    expect(neutralize("|a||b|\n|-|-|-|")).toBe("|a| |b|\n|-|-|-|");
    expect(neutralize(">>> all of it")).toBe("> > > all of it");
  });

  law("made harmless again it is what it is", (shown) => {
    expect(neutralize(shown)).toBe(shown);
  });

  it("every word is still there, in links, code and fences too; a link's user name is not", () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 12 }), (parts) => {
        const text = parts.map((part, at) => `${part}q${at}q`).join("");
        fc.pre(!/:\/\/[^\s/]*@/.test(text));
        const shown = neutralize(`${text}\nend`);
        for (const at of parts.keys()) expect(shown).toContain(`q${at}q`);
      }),
      { numRuns: RUNS },
    );
  });

  it("of a text that comes in parts gives out the beginning of the whole, however it is parted", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, documents), { maxLength: 5 }), (parts) => {
        const growing = createNeutralizer();
        const shown = parts.map((part) => growing.write(part)).join("");
        const text = parts.join("");
        const lines = neutralize(text).split("\n");
        const given = shown.split("\n").slice(0, -1);
        expect(lines.slice(0, given.length)).toEqual(given);
        const whole = neutralize(text.slice(0, text.lastIndexOf("\n") + 1)).split("\n");
        // Held back: an empty fence that may go on (opener, language, closer), and what follows the last line end.
        expect(whole.length - given.length).toBeLessThanOrEqual(4);
      }),
      { numRuns: RUNS, examples: [[["\n> ```js\n"]]] },
    );
  });

  it("keeps what needs no change: prose, lists, tables, code", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const plain = text.replaceAll(/~~~|````/g, "```");
        expect(neutralize(plain).replaceAll(/\s+/g, " ")).toBe(plain.replaceAll(/\s+/g, " "));
      }),
      { numRuns: RUNS },
    );
  });

  it("D22 pieces of a text that grows by whole lines stay", () => {
    fc.assert(
      fc.property(fc.oneof(hostile, documents), fc.oneof(hostile, documents), (one, two) => {
        const limit = { units: "utf16", max: 200 } as const;
        const done = splitMarkdown(neutralize(`${one}\n`), limit).slice(0, -1);
        expect(splitMarkdown(neutralize(`${one}\n${two}`), limit).slice(0, done.length)).toEqual(done);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("what people see", () => {
  const shown: readonly (readonly [string, string])[] = [
    ["[the fix](https://evil.example/x)", "the fix ([evil.example](<https://evil.example/x>))"],
    [
      "[https://good.example](https://evil.example/)",
      "<https://good.example> ([evil.example](<https://evil.example/>))",
    ],
    ["see https://a.example/b.", "see <https://a.example/b>."],
    ["https://good.example@evil.example/", "<https://evil.example/>"],
    ["https://аpple.com", "<https://xn--pple-43d.com/>"],
    ["![logo](https://a.example/x.png)", "logo (image: [a.example](<https://a.example/x.png>))"],
    ["[x](javascript:alert(1))", "x (`javascript:alert(1)`)"],
    ["hi <@U123> and <!channel>", "hi @U123 and @\u200bchannel"],
    ["a <!-- hidden --> b", "a \\<\u200b!-- hidden --> b"],
    ["join https://discord.gg/abc", "join `discord[.]gg/abc`"],
    ["-# Restricted · acme/shop", "\\-# Restricted · acme/shop"],
    ["> - -# small", "> - \\-# small"],
    ["a -# b", "a -# b"],
    ["`<@U1>` and `@everyone`", "`<\u200b@U1>` and `@everyone`"],
    ["~~~ts\nlet a;\n~~~", "```ts\nlet a;\n```"],
    ["```ts\nlet a;", "```ts\nlet a;\n```"],
    ["a < b && c > d, x <- y", "a < b && c > d, x <- y"],
    ["mail me@a.example, ok", "mail me@a.example, ok"],
  ];
  it.each(shown)("%j", (text, expected) => {
    expect(neutralize(text)).toBe(expected);
  });
});
