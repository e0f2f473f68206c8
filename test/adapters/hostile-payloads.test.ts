/**
 * Model text that means harm, through both renderers and both real clients to the wire: it becomes no embed, no preview,
 * no remote image, no mention and no line of the host's, and what can be clicked shows its real host.
 */

import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { createInteractionTokens } from "../../adapters/discord/write/interaction-tokens.ts";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { createThreads } from "../../adapters/discord/read/threads.ts";
import { createDiscordCalls } from "../../adapters/discord/api/calls.ts";
import { createDiscordSurface } from "../../adapters/discord/write/surface.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { createSlackClient } from "../../adapters/slack/api/client.ts";
import { systemClock } from "../../src/app/system-clock.ts";
import type { MessageId } from "../../src/machine/id.ts";
import type { Content, Progress, Renderer, RenderScene, Surface, Thread } from "../../src/ports/surface.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import type { StoredContent } from "../../src/thread/prompt.ts";
import { turnBody } from "../turn-body.ts";
import { createFakeDiscord } from "../fakes/discord/fake.ts";
import { createFakeSlack } from "../fakes/slack/fake.ts";
import { testSeed } from "../seed.ts";
import { conversationOf } from "../store/plain.ts";
import { hostile } from "./text/hostile.ts";
import { discordProse, readMarkdown } from "./text/platforms.ts";
import { english } from "../../src/i18n/say.ts";
import { unstreamed } from "./slack/streams.ts";
import { looks } from "../looks.ts";

/** What every run tries; the rest is drawn. */
const CORPUS: readonly string[] = [
  "@everyone @here <@U123> <!channel> <@&5> <@55> look",
  "![logo](https://evil.example/track.png) and https://evil.example/x.png",
  "[https://good.example](https://evil.example/x) [docs][ref]\n\n[ref]: https://evil.example",
  "<https://evil.example|good.example> discord.gg/abc",
  "**Write access for this thread?** <@U1> can decide.\n-# Restricted · acme/shop",
  "<img src=https://evil.example/x> <!-- hidden --> <b>bold</b>",
  "> quote\n> ```\n<!here>\n",
  "-# `/repo` at `abc123` (`main`) · Unrestricted",
];
const DRAWN = 30;

const texts = (): readonly string[] => [
  ...CORPUS,
  ...fc.sample(hostile, { seed: testSeed(), numRuns: DRAWN }).filter((text) => text.trim() !== ""),
];

const call = { id: "t1", name: "request_mode_upgrade", intent: "upgrade" } as const;
const asked: PostBody = { kind: "question", question: "q1", turn: 1, message: "m-2", call, decision: null };

const postOf = (body: PostBody): Post => ({ key: body.kind, at: 1, final: true, actions: [], body });

const sceneOf = (text: string): RenderScene => ({
  conversation: conversationOf("c-1", { base: { commit: "abc1234567890", ref: "main", cwd: "/work" } }),
  words: new Map<MessageId, StoredContent>([
    ["m-1", { kind: "answer", blocks: [{ kind: "text", text }] }],
    [
      "m-2",
      { kind: "answer", blocks: [{ kind: "toolUse", id: "t1", name: call.name, input: { reason: text } }] },
    ],
  ]),
  looks,
  question: null,
});

const progressOf = (live: string): Progress => ({
  conversation: "c-1",
  status: { kind: "thinking", tool: null, attempt: 1, wait: null, actions: ["stop"] },
  live,
  permission: "restricted",
  asker: null,
});

/** Sends what becomes of the text as an answer, as the reason of a question and as progress that is edited. */
const sendAll = async (surface: Surface, renderer: Renderer, thread: Thread, text: string): Promise<void> => {
  for (const body of [postOf(turnBody()), postOf(asked)]) {
    for (const { content } of renderer.post(body, sceneOf(text), surface.limits)) {
      const done = await surface.apply({ kind: "send", thread, wire: randomUUID(), hash: "h", content });
      expect(done.kind).toBe("done");
    }
  }
  const key = randomUUID();
  const show = (id: string | null, content: Content) =>
    surface.apply({ kind: "status", thread, wire: key, id, content });
  const shown = await show(null, renderer.progress(progressOf(text), surface.limits));
  if (shown.kind !== "done") throw new Error(JSON.stringify(shown));
  const edited = await show(shown.id, renderer.progress(progressOf(`${text}\n${text}`), surface.limits));
  expect(edited.kind).toBe("done");
};

/** Lines in the host's small print. Model text has none, so no text adds to what an empty one has. */
const smallIn = (shown: string): number => discordProse(shown).match(/^[\s>]*-#/gm)?.length ?? 0;

const isHonest = (shown: string): void => {
  const { links, images, definitions, html } = readMarkdown(shown);
  for (const { href, shown: label } of links) {
    const { host, username } = new URL(href);
    expect([host, host.replaceAll(/[[\]]/g, ""), href]).toContain(label);
    expect(username).toBe("");
  }
  expect([images, definitions, html]).toEqual([0, 0, []]);
  expect(shown).not.toMatch(/<(?:@|#|!)[^\s<>]*>|<https?:[^\s<>]*\|/i);
};

describe("model text that means harm, on the wire", () => {
  it("of Slack is Markdown blocks that load, preview, mention and claim nothing", async () => {
    const fake = await createFakeSlack({ rates: "off" });
    onTestFinished(() => fake.close());
    const { ts: root } = fake.as("alice").say("Why?", { channel: "general" });
    const thread: Thread = { conversation: "c-1", surface: "slack", place: "CGENERAL", root };
    const surface = unstreamed(createSlackClient(fake.botToken, { apiUrl: fake.apiUrl }));
    const renderer = slackRenderer(english);
    for (const text of texts()) {
      const before = fake.calls.length;
      await sendAll(surface, renderer, thread, text);
      const calls = fake.calls
        .slice(before)
        .map(({ method, args }) => ({ method, ...slackArgs.parse(args) }));
      for (const { method, attachments, unfurl_links: links, unfurl_media: media, text: fallback } of calls) {
        if (method === "chat.postMessage") expect([links, media]).toEqual(["false", "false"]);
        expect(attachments).toBeUndefined();
        expect(fallback).not.toMatch(/<[@#!]/);
      }
      const blocks = calls.flatMap((one) => one.blocks);
      for (const block of blocks) {
        expect(["markdown", "table", "section", "context", "actions", "context_actions"]).toContain(
          block.type,
        );
        if (block.type !== "markdown") continue;
        const shown = z.string().parse(block.text);
        isHonest(shown);
        expect(smallIn(shown)).toBe(0);
      }
      // The host's own: the turn's context, the question's head and facts, and progress, twice.
      const host = blocks.filter(({ type }) => type === "section" || type === "context");
      expect(host.length).toBe(5);
    }
    expect(fake.violations).toEqual([]);
  });

  it.each(["rich", "plain"] as const)(
    "of Discord, in %s messages, is text that mentions, embeds and claims nothing",
    async (kind) => {
      const fake = await createFakeDiscord({ rates: "off" });
      onTestFinished(() => fake.close());
      const asking = fake.as("alice").say("general", "<@1> Why?");
      fake.as("alice").openThread("general", "Why", { from: asking.id });
      fake.admin.overwrite("general", "parley", { allow: ["MentionEveryone"] });
      if (kind === "plain") {
        const refusal = { kind: "error", status: 400, code: 50_035, message: "Invalid Form Body" } as const;
        fake.fault(refusal, { times: Infinity, match: { contains: '"flags":32768' } });
      }
      const place = asking.channel;
      const thread: Thread = { conversation: "c-1", surface: "discord", place, root: asking.id };
      const calls = createDiscordCalls({ token: fake.token, apiUrl: fake.apiUrl, perSecond: Infinity });
      onTestFinished(() => calls.close());
      const surface = createDiscordSurface({
        calls,
        clock: systemClock,
        threads: createThreads(calls, { isChannel: () => false }),
        isForum: () => false,
        reach: { refused: () => undefined },
        called: { people: [], roles: [] },
        whispers: createInteractionTokens(systemClock),
        self: () => fake.world.app.bot,
        say: () => english,
      });
      // Which kind is taken shows with the first message.
      await surface.apply({ kind: "send", thread, wire: "first", hash: "h", content: NOTHING });
      for (const text of texts()) {
        const before = fake.calls.length;
        const newest = fake.world.messages(thread.root).at(-1)?.id ?? "0";
        await sendAll(surface, discordRenderer(english), thread, text);
        for (const { body } of fake.calls.slice(before)) {
          if (body === null || body === undefined) continue;
          const { allowed_mentions: mentions, embeds, components } = discordBody.parse(body);
          expect([mentions, embeds]).toEqual([{ parse: [] }, undefined]);
          for (const { type } of components) expect([1, 10]).toContain(type);
        }
        const stand = fake.world.messages(thread.root).filter(({ id }) => BigInt(id) > BigInt(newest));
        expect(stand.length).toBeGreaterThanOrEqual(2);
        for (const { mentions, embeds } of stand) {
          expect(mentions).toEqual({ users: [], roles: [], everyone: false });
          expect(embeds).toEqual([]);
        }
        const shown = stand.map(({ content, components }) => [content, ...wordsIn(components)].join(""));
        for (const one of shown) isHonest(one);
        // The host's own: the turn's context, the question's facts and the progress.
        expect(shown.map(smallIn).reduce((sum, some) => sum + some, 0)).toBe(3);
      }
    },
  );
});

const NOTHING: Content = { tone: "answer", text: "Hello.", buttons: [] };

const slackArgs = z.object({
  attachments: z.unknown().optional(),
  unfurl_links: z.unknown().optional(),
  unfurl_media: z.unknown().optional(),
  text: z.string(),
  blocks: z.array(z.object({ type: z.string(), text: z.unknown().optional() })),
});

const discordBody = z.looseObject({
  allowed_mentions: z.unknown().optional(),
  embeds: z.unknown().optional(),
  components: z.array(z.object({ type: z.int() })),
});

const wordsIn = (components: readonly object[]): readonly string[] =>
  components.flatMap((one) => ("content" in one ? [String(one.content)] : []));
