/** 39.A2 No text hides a host line: the host's words and a card's command are seen in full, whatever others wrote. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, fallbackOf, unmarkedBlocksOf } from "../../../../adapters/slack/write/blocks.ts";
import { slackDialect, slackRenderer } from "../../../../adapters/slack/write/render.ts";
import { slackLimits } from "../../../../adapters/slack/write/surface.ts";
import type { Content } from "../../../../src/ports/surface.ts";
import { english } from "../../../../src/words/say.ts";
import { ofWhole } from "../../../sample.ts";
import {
  commandIn,
  commandLines,
  hiddenIn,
  hostWords,
  hostileTexts,
  kindsOn,
  shownCommand,
} from "../../hiding.ts";
import { codeIn, seenIn, type Seen } from "./reading.ts";

const RUNS = ofWhole(500, 12);

const kinds = kindsOn({
  renderer: slackRenderer(english, "<@U42> can decide."),
  dialect: slackDialect(english),
  limits: slackLimits,
  person: "slack:U42",
});

/** The host's parts as they look without any text of others around them. */
const hostParts = (contents: readonly Content[]): readonly (readonly Seen[])[] =>
  contents.flatMap(({ below = [], ...content }) => [
    seenIn(blocksOf({ ...content, text: "" })),
    ...below.flatMap((one) =>
      one.kind === "host" ? [seenIn(blocksOf({ tone: "answer", text: "", below: [one], buttons: [] }))] : [],
    ),
  ]);

const givenBy =
  (texts: readonly string[]) =>
  (field: number): string =>
    texts[field % texts.length] ?? "x";

const several = fc.array(hostileTexts, { minLength: 1, maxLength: 7 });

/** Found by this property: each runs again before the random ones. */
const SEEDS: readonly (readonly string[])[] = [
  ["x `", "x"],
  ["x `**`"],
  ["x ```\ncode\n```\n\n> >```\ncode\n```\n||||**bold**"],
  ["\n>>> x `**`", "x"],
];

describe.each(Object.entries(kinds))("39.A2 %s", (name, kind) => {
  const words = hostWords(kind, hostParts);
  it("keeps each of the host's words as it is, whatever others wrote", () => {
    fc.assert(
      fc.property(several, (texts) => {
        const contents = kind(givenBy(texts));
        const blocks = contents.flatMap(blocksOf);
        expect(hiddenIn(words, seenIn(blocks))).toBe(null);
        // An upload takes no block of Markdown.
        expect(hiddenIn(words, seenIn(contents.flatMap(unmarkedBlocksOf)))).toBe(null);
        for (const content of contents) expect(fallbackOf(content)).toContain(content.lead ?? "");
        if (name !== "card of a command") return;
        const command = commandLines(commandIn(givenBy(texts)));
        expect(shownCommand(codeIn(blocks) ?? "")).toBe(command);
        expect(shownCommand(codeIn(contents.flatMap(unmarkedBlocksOf)) ?? "")).toBe(command);
      }),
      { numRuns: RUNS + 2 * SEEDS.length, examples: SEEDS.map((texts) => [[...texts]]) },
    );
  });
});

it("39.A2 a name with two stars stands on a card as it is", () => {
  const [content] = kinds["card of another mode"]?.(() => "a**b") ?? [];
  expect(content?.lead).toContain("`a**b`");
});

it("39.A2 the host's words on a card are not cut, however long names are", () => {
  const [content] = kinds["card of a draft"]?.(() => "`".repeat(200)) ?? [];
  const written = seenIn(blocksOf(content ?? { tone: "question", text: "", buttons: [] }))
    .map(({ text }) => text)
    .join("");
  expect(written).toContain("exited with status 1 after 2 s.");
});
