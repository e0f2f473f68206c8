/** Rendering is total: of any Markdown, generated or mutated, every surface makes something, and quickly. */

import fc from "fast-check";
import { it } from "vitest";
import { bodyOf, plainBodyOf } from "../../adapters/discord/write/blocks.ts";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { discordLimits } from "../../adapters/discord/write/surface.ts";
import { sourcesBelow } from "../../adapters/gateway/turn.ts";
import { blocksOf, fallbackOf } from "../../adapters/slack/write/blocks.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { createChunks } from "../../adapters/slack/write/stream-chunks.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import { mentionsOf } from "../../src/text/mentions.ts";
import type { Words } from "../../src/thread/prompt.ts";
import { masking } from "../../src/runtime/deliver/masked.ts";
import type { Content, Limits, Progress, Renderer } from "../../src/ports/surface.ts";
import { pageReader } from "../console-page.ts";
import { TEXTS } from "../linear/texts.ts";
import { thinking } from "../runtime/deliver/board.ts";
import { conversationOf } from "../store/plain.ts";
import { hostile } from "./text/hostile.ts";
import { documents, texts } from "./text/markdown.ts";
import { english } from "../../src/words/say.ts";
import { looks } from "../looks.ts";

const page = pageReader();

/** Documents with a piece taken out, doubled, or repeated a few hundred times. */
const mutated = fc
  .tuple(fc.oneof(documents, texts, hostile), fc.nat(), fc.nat(40), fc.constantFrom(0, 2, 300))
  .map(([text, from, length, times]) => {
    const at = from % (text.length + 1);
    return text.slice(0, at) + text.slice(at, at + length).repeat(times) + text.slice(at + length);
  });
const made = fc.constantFrom(...TEXTS).chain(({ of }) => fc.constantFrom(200, 5_000).map(of));
const any = fc.oneof(
  mutated,
  mutated,
  fc.tuple(made, mutated, made).map((parts) => parts.join("\n")),
);

const progressOf = (live: string): Progress => ({
  conversation: "c-1",
  status: thinking,
  live,
  permission: "restricted",
  asker: null,
});

const shows = (renderer: Renderer, limits: Limits, made: (content: Content) => unknown) => (text: string) => {
  const words = new Map<`m-${number}`, Words>([
    ["m-1", { kind: "answer", blocks: [{ kind: "text", text }] }],
  ]);
  const scene = { conversation: conversationOf("c-1"), words, looks, question: null };
  const body = { kind: "answer", message: "m-1" } as const;
  const pieces = masking(renderer).post({ key: "k", at: 1, final: true, actions: [], body }, scene, limits);
  for (const { content } of pieces) made(content);
  made(masking(renderer).progress(progressOf(text), limits));
};

const SURFACES: Readonly<Record<string, (text: string) => unknown>> = {
  Slack: shows(slackRenderer(english), slackLimits, (content) => [blocksOf(content), fallbackOf(content)]),
  "Slack's streams": (text) => createChunks(progressOf("")).next(progressOf(text)),
  Discord: shows(discordRenderer(english), discordLimits, (content) => [
    bodyOf(content, "w"),
    plainBodyOf({ ...content, plain: true }, "w"),
  ]),
  "the console's page": page,
  "the gateway": (text) => {
    const citations = mentionsOf(text).map((one) => ({ ...one, status: "missing", file: null }) as const);
    return sourcesBelow(
      { kind: "answer", blocks: [{ kind: "text", text }], citations },
      conversationOf("c-1"),
    );
  },
};

it.each(Object.entries(SURFACES))("%s", (_, show) => {
  fc.assert(
    // A reader that throws fails the property; test/linear counts its time.
    fc.property(any, (text) => void show(text)),
    { numRuns: 150 },
  );
});

const POISONS: readonly (readonly [string, string])[] = [
  ["quotes in quotes", ">".repeat(4_000)],
  ["items in items", "- ".repeat(4_000)],
  ["labels in labels", `${"[".repeat(4_000)}a${"](x)".repeat(4_000)}`],
  ["emphasis in emphasis", "*a **b ".repeat(4_000)],
  ["brackets in brackets", `${"(".repeat(4_000)}${")".repeat(4_000)}`],
  ["tags in tags", `${"<a>".repeat(4_000)}${"</a>".repeat(4_000)}`],
  ["a table in quotes", `${">".repeat(3_700)} a | b\n-|-\n1 | 2`],
  ["a wide table", `${"a|".repeat(4_000)}a\n${"-|".repeat(4_000)}-\n${"|\n".repeat(4_000)}`],
];

it.each(POISONS)("%s, thousands deep", (_, poison) => {
  for (const show of Object.values(SURFACES)) show(`${poison}\n\nthe end`);
});

it("40,000 of any one character or pair", () => {
  const pairs = TEXTS.filter(({ name }) => name.length <= 6);
  for (const { of } of pairs) for (const show of Object.values(SURFACES)) show(of(40_000));
});
