/** Rows 17 and 18: which attempt at the model it is, of how many, and how often it failed in the end, on every surface. */

import { describe, it } from "vitest";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { createChunks } from "../../adapters/slack/write/stream-chunks.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import { english } from "../../src/i18n/say.ts";
import type { Progress } from "../../src/ports/surface.ts";
import type { Post, ThreadStatus } from "../../src/thread/post.ts";
import { looks } from "../looks.ts";
import { conversationOf } from "../store/plain.ts";
import { ATTEMPTED, expectAttempts, expectEnd, type StatusText } from "./attempts.ts";

const slack = slackRenderer(english);

const shown: readonly (readonly [string, StatusText])[] = [
  ["Slack", (status) => slack.progress(progress(status), slackLimits).lead ?? ""],
  ["a Slack stream", (status) => JSON.stringify(createChunks(progress(status)).next(progress(status)))],
  ["Discord", (status) => discordRenderer(english).progress(progress(status), slackLimits).lead ?? ""],
];

const scene = { conversation: conversationOf("c-1"), words: new Map(), looks, question: null };
const progress = (status: ThreadStatus): Progress => ({
  conversation: "c-1",
  status,
  live: "",
  permission: "restricted",
  asker: null,
});

describe.each(shown)("%s", (_, textOf) => {
  it.each(ATTEMPTED)("says of %s which attempt comes, and which one is under way", (...attempted) =>
    expectAttempts(textOf, attempted),
  );
});

describe("the end", () => {
  it.each([
    ["Slack", (post: Post) => JSON.stringify(slack.post(post, scene, slackLimits))],
    ["Discord", (post: Post) => JSON.stringify(discordRenderer(english).post(post, scene, slackLimits))],
  ] as const)(
    "on %s says after how many attempts, and why; one that is not tried again says only why",
    (_, textOf) => expectEnd(textOf),
  );
});
