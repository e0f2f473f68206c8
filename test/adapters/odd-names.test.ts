/** Names from outside that every object has: a tool, a command, a key or a language of that name is nothing special. */

import { describe, expect, it } from "vitest";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import { withLongCode } from "../../adapters/text/long.ts";
import { formsOf } from "../../src/app/chat/platforms.ts";
import { chatCommands } from "../../src/app/commands.ts";
import type { Post } from "../../src/thread/post.ts";
import type { StoredContent } from "../../src/thread/prompt.ts";
import { conversationOf } from "../store/plain.ts";
import { english } from "../../src/i18n/say.ts";
import { looks } from "../looks.ts";

const NAMES = Object.getOwnPropertyNames(Object.prototype);
const slack = slackRenderer(english);

describe.each(NAMES)("%s", (name) => {
  it("as a tool adds nothing of its own on chat platforms", () => {
    const blocks = [{ kind: "toolUse", id: "t1", name, input: { path: "a" } }] as const;
    const words = new Map<`m-${string}`, StoredContent>([["m-a", { kind: "answer", blocks }]]);
    const call = { id: "t1", name, intent: "tool" } as const;
    const body = { kind: "activity", message: "m-a", call, status: "running", outcome: null } as const;
    const post: Post = { key: "call/m-a/t1", at: 1, final: false, actions: [], body };
    const scene = { conversation: conversationOf("c-1"), words, looks, question: null };
    expect(slack.post(post, scene, slackLimits)).toEqual([]);
    expect(discordRenderer(english).post(post, scene, slackLimits)).toEqual([]);
  });

  it("as a command, an argument of one, or a surface is none", () => {
    expect(chatCommands.parse(name)).toMatchObject({ kind: "message" });
    expect(chatCommands.parse(`safe-mode ${name}`)).toMatchObject({ kind: "message" });
    expect(formsOf(name)).toBeNull();
  });

  it("as a language of code names no file", () => {
    const code = Array.from({ length: 400 }, (_, line) => `line ${line}`).join("\n");
    const parts = withLongCode(`\`\`\`${name}\n${code}\n\`\`\``, 1_000);
    expect(parts).toMatchObject([
      { kind: "file", file: { name: expect.stringMatching(/^attached-1\.[a-z0-9]{1,8}$/i) } },
    ]);
  });
});
