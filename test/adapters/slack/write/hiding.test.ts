/** 39.A2 No text hides a host line: the host's words and a card's command are seen in full, whatever others wrote. */

import type { types } from "@slack/bolt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, fallbackOf, unmarkedBlocksOf } from "../../../../adapters/slack/write/blocks.ts";
import { slackDialect, slackRenderer } from "../../../../adapters/slack/write/render.ts";
import { createChunks } from "../../../../adapters/slack/write/stream-chunks.ts";
import { slackLimits } from "../../../../adapters/slack/write/surface.ts";
import type { Content, Progress } from "../../../../src/ports/surface.ts";
import { sayIn } from "../../../../src/i18n/languages.ts";
import { english, LANGUAGES } from "../../../../src/i18n/say.ts";
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
        for (const title of titlesIn(blocks)) expect(title).not.toMatch(HIDES);
        if (name === "answer with notices") expect(titlesIn(blocks).at(-1)).toMatch(/: stopped$/);
        if (name !== "card of a command") return;
        const command = commandLines(commandIn(givenBy(texts)));
        expect(shownCommand(codeIn(blocks) ?? "")).toBe(command);
        expect(shownCommand(codeIn(contents.flatMap(unmarkedBlocksOf)) ?? "")).toBe(command);
      }),
      { numRuns: RUNS + 2 * SEEDS.length, examples: SEEDS.map((texts) => [[...texts]]) },
    );
  });
});

/** Titles of the folded steps below a finished post: the host's own, and one for each step. */
const titlesIn = (blocks: readonly types.KnownBlock[]): readonly string[] =>
  blocks.flatMap((block) =>
    block.type === "plan" ? [block.title, ...(block.tasks ?? []).map(({ title }) => String(title))] : [],
  );

it("39.A2 titles of steps are among what the property reads", () => {
  const blocks = Object.values(kinds).flatMap((kind) => kind(() => "x y").flatMap(blocksOf));
  expect(titlesIn(blocks).length).toBeGreaterThan(3);
  expect(titlesIn(blocks).some((title) => title.includes("x y"))).toBe(true);
});

/** A title has none of these: it is one line without markup. */
const HIDES = /[\n\r\u0085\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]|<[@#!]|https?:\/\//iu;

it("39.A2 titles of a streamed message say the host's words in full, whatever others wrote", () => {
  fc.assert(
    fc.property(several, fc.constantFrom(...LANGUAGES), fc.nat(400), (texts, language, padding) => {
      const given = givenBy(texts.map((text) => `${text}${"\u202ex".repeat(padding)}`));
      const agents = [{ task: given(0), step: "thinking", tool: null, how: null, costMicroUsd: 0 }] as const;
      const status = {
        kind: "running",
        tool: given(1),
        attempt: 1,
        wait: null,
        actions: [],
      } as const;
      const now = {
        conversation: "c-1",
        permission: "unrestricted",
        asker: null,
        live: "",
        language,
      } as const;
      const doing = { verb: "running {object}", object: given(2) } as const;
      const shown: readonly Pick<Progress, "status" | "doing">[] = [
        { status: { ...status, agents } },
        { status, doing },
        { status },
      ];
      for (const one of shown) {
        const progress: Progress = { ...now, ...one, steps: 12, reviewed: true };
        const say = sayIn(language);
        const titles = (createChunks(progress).next(progress) ?? []).flatMap((chunk) =>
          "title" in chunk ? [{ type: chunk.type, title: chunk.title }] : [],
        );
        for (const { title } of titles) {
          expect(title).not.toMatch(HIDES);
          expect(title.isWellFormed()).toBe(true);
        }
        const plan = titles.find(({ type }) => type === "plan_update")?.title ?? "";
        expect(plan).toContain(say("{count} steps so far.", { count: 12 }));
        expect(plan.endsWith(say("A maintainer reviews the answer before it is posted here."))).toBe(true);
        const crew = titles.filter(({ title }) => title.endsWith(`: ${say("thinking")}`));
        expect(crew).toHaveLength(one.status.agents === undefined ? 0 : 1);
      }
    }),
    { numRuns: RUNS },
  );
});

/** Slack calls a person, a channel or everybody by such a form. Half of one in code calls nobody. */
const CALLS = /<[@#!]\w[^<>]*>/;

it("39.A2 text of a streamed message is Markdown that calls nobody and hides nothing", () => {
  fc.assert(
    fc.property(several, (texts) => {
      const status = { kind: "thinking", tool: null, attempt: 1, wait: null, actions: [] } as const;
      const now = { conversation: "c-1", permission: "restricted", asker: null, status, live: "" } as const;
      const chunks = createChunks(now);
      let live = "";
      let written = "";
      for (const text of texts) {
        live += text;
        const all = chunks.next({ ...now, live }) ?? [];
        chunks.arrived();
        written += all.map((chunk) => ("text" in chunk ? chunk.text : "")).join("");
      }
      expect(written).not.toMatch(CALLS);
      expect(written).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(written.isWellFormed()).toBe(true);
    }),
    { numRuns: RUNS },
  );
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
