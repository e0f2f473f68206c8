/** Rendering is total: of any Markdown, generated or mutated, every surface makes something, and quickly. */

import fc from "fast-check";
import { it } from "vitest";
import { bodyOf, plainBodyOf } from "../../adapters/discord/write/blocks.ts";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { discordLimits } from "../../adapters/discord/write/surface.ts";
import { blocksOf, fallbackOf } from "../../adapters/slack/write/blocks.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { createChunks } from "../../adapters/slack/write/stream-chunks.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import type { StoredContent } from "../../src/thread/prompt.ts";
import { withMaskedSecrets } from "../../src/runtime/deliver/masked.ts";
import type { Content, Limits, Progress, Renderer } from "../../src/ports/surface.ts";
import { TEXTS } from "../linear/texts.ts";
import { thinking } from "../runtime/deliver/board.ts";
import { conversationOf } from "../store/plain.ts";
import { english } from "../../src/i18n/say.ts";
import { looks } from "../looks.ts";
import { anyText, POISONS } from "./any-text.ts";

const progressOf = (live: string): Progress => ({
  conversation: "c-1",
  status: thinking,
  live,
  permission: "restricted",
  asker: null,
});

const shows = (renderer: Renderer, limits: Limits, made: (content: Content) => unknown) => (text: string) => {
  const words = new Map<`m-${number}`, StoredContent>([
    ["m-1", { kind: "answer", blocks: [{ kind: "text", text }] }],
  ]);
  const scene = { conversation: conversationOf("c-1"), words, looks, question: null };
  const body = { kind: "answer", message: "m-1" } as const;
  const pieces = withMaskedSecrets(renderer).post(
    { key: "k", at: 1, final: true, actions: [], body },
    scene,
    limits,
  );
  for (const { content } of pieces) made(content);
  made(withMaskedSecrets(renderer).progress(progressOf(text), limits));
};

const SURFACES: Readonly<Record<string, (text: string) => unknown>> = {
  Slack: shows(slackRenderer(english), slackLimits, (content) => [blocksOf(content), fallbackOf(content)]),
  "Slack's streams": (text) => createChunks(progressOf("")).next(progressOf(text)),
  Discord: shows(discordRenderer(english), discordLimits, (content) => [
    bodyOf(content, "w"),
    plainBodyOf({ ...content, plain: true }, "w"),
  ]),
};

it.each(Object.entries(SURFACES))("%s", (_, show) => {
  fc.assert(
    // A reader that throws fails the property; test/linear counts its time.
    fc.property(anyText, (text) => void show(text)),
    { numRuns: 150 },
  );
});

it.each(POISONS)("%s, thousands deep", (_, poison) => {
  for (const show of Object.values(SURFACES)) show(`${poison}\n\nthe end`);
});

it("40,000 of any one character or pair", () => {
  const pairs = TEXTS.filter(({ name }) => name.length <= 6);
  for (const { of } of pairs) for (const show of Object.values(SURFACES)) show(of(40_000));
});
