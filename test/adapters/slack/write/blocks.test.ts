/** Content as blocks: what Slack takes of anything, and what a table becomes. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, fallbackOf } from "../../../../adapters/slack/write/blocks.ts";
import { slackLimits } from "../../../../adapters/slack/write/surface.ts";
import { neutralize } from "../../../../adapters/text/neutral.ts";
import { splitMarkdown } from "../../../../adapters/text/split.ts";
import type { Content } from "../../../../src/ports/surface.ts";
import { acceptContent } from "../../../fakes/slack/people/content.ts";
import { methods } from "../../../fakes/slack/methods/all.ts";
import { slackSchema } from "../../../fakes/slack/schema.ts";
import { hostile } from "../../text/hostile.ts";
import { documents, texts } from "../../text/markdown.ts";

const schema = await slackSchema(Object.keys(methods));

const buttons: Content["buttons"] = [
  { action: "approve", label: "Approve", value: "w1" },
  { action: "deny", label: "Deny", value: "w1" },
];

const table = (rows: number, cell = "x"): string =>
  `| Name | Value |\n|:--|--:|\n${`| ${cell} | \`1\` **b** [h](<https://a.example/>) |\n`.repeat(rows)}`;

const kinds = (text: string): readonly string[] =>
  blocksOf({ tone: "answer", text, buttons: [] }).map(({ type }) => type);

describe("blocks", () => {
  it("of any text are what Slack accepts, in every tone, with a lead and with buttons", () => {
    let ids = 0;
    const tones = fc.constantFrom<Content["tone"]>("answer", "question", "notice", "turn", "status");
    const any = fc.oneof(hostile, texts, documents, fc.nat(120).map(table));
    fc.assert(
      fc.property(any, tones, fc.option(fc.string({ maxLength: 9_000 }), { nil: "" }), (text, tone, lead) => {
        for (const piece of splitMarkdown(neutralize(text), {
          units: slackLimits.units,
          max: slackLimits.text,
        })) {
          const content = { tone, text: piece, buttons, ...(lead === "" ? {} : { lead }) };
          const accepted = acceptContent(
            schema,
            { text: fallbackOf(content), blocks: JSON.parse(JSON.stringify(blocksOf(content))) },
            () => `b${ids++}`,
          );
          expect(accepted).toMatchObject({ kind: "accepted" });
          expect(fallbackOf(content).length).toBeLessThanOrEqual(3_900);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("show the first table as one and further ones as aligned code, in their places", () => {
    expect(kinds(`before\n\n${table(2)}\nafter`)).toEqual(["markdown", "table", "markdown"]);
    const blocks = blocksOf({
      tone: "answer",
      text: `${table(1)}\nand\n\n${table(1, "long name")}`,
      buttons: [],
    });
    expect(blocks.map(({ type }) => type)).toEqual(["table", "markdown"]);
    expect(blocks[1]).toEqual({
      type: "markdown",
      text: "and\n\n```\nName      | Value\n----------|------\nlong name | 1 b h\n```",
    });
  });

  it("show a table that Slack would refuse as code", () => {
    expect(kinds(table(99))).toEqual(["table"]);
    expect(kinds(table(100))).toEqual(["markdown"]);
  });

  it("keep what cells mark", () => {
    const [first] = blocksOf({ tone: "answer", text: table(1), buttons: [] });
    expect(first).toMatchObject({
      type: "table",
      column_settings: [{ align: "left" }, { align: "right" }],
      rows: [
        [{ elements: [{ elements: [{ text: "Name", style: { bold: true } }] }] }, {}],
        [
          {},
          {
            elements: [
              {
                elements: [
                  { text: "1", style: { code: true } },
                  { text: " " },
                  { text: "b", style: { bold: true } },
                  { text: " " },
                  { type: "link", url: "https://a.example/", text: "h" },
                ],
              },
            ],
          },
        ],
      ],
    });
  });

  it("leave everything but tables to Slack's own Markdown", () => {
    const text = "# Title\n\n- a\n  1. b\n\n> quote\n\n```ts\na | b\n```\n\n[h](<https://a.example/>) | `x`";
    expect(blocksOf({ tone: "answer", text, buttons: [] })).toEqual([{ type: "markdown", text }]);
  });
});

describe("the text for notifications", () => {
  it("mentions nobody whom model text names", () => {
    const content: Content = {
      tone: "question",
      lead: "◈ <@U1> asks",
      text: "<!channel> & <@U2>",
      buttons: [],
    };
    expect(fallbackOf(content)).toBe("◈ <@U1> asks\n&lt;!channel&gt; &amp; &lt;@U2&gt;");
  });
});
