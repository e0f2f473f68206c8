/** Rows 17 and 18: which attempt at the model it is, of how many, and how often it failed in the end, on every surface. */

import { describe, expect, it } from "vitest";
import { render } from "../../adapters/console/render/render.ts";
import { stateNews } from "../../adapters/console/render/summary.ts";
import { discordRenderer } from "../../adapters/discord/write/render.ts";
import { slackRenderer } from "../../adapters/slack/write/render.ts";
import { createChunks } from "../../adapters/slack/write/stream-chunks.ts";
import { slackLimits } from "../../adapters/slack/write/surface.ts";
import type { Event } from "../../src/machine/event.ts";
import type { State } from "../../src/machine/state.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { Progress } from "../../src/ports/surface.ts";
import type { Post, ThreadStatus } from "../../src/thread/post.ts";
import { turnPost } from "../../src/thread/turn-post.ts";
import { view } from "../../src/thread/view.ts";
import { events, inPhase, overloaded, phases } from "../machine/samples.ts";
import { conversationOf } from "../store/plain.ts";
import { english } from "../../src/i18n/say.ts";
import { looks } from "../looks.ts";

const slack = slackRenderer(english);

const step = (state: State, event: Event) => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(result.why);
  return result;
};

const asked = ({ phase }: State) =>
  phase.kind === "thinking" || phase.kind === "summarizing" ? phase : null;

const said = (textOf: TextOf, state: State): string => textOf(view(state, []).status ?? fail(), state);

/** The next attempt fails, and its wait is over where one follows. */
const failOnce = (state: State) => {
  const failed = step(state, { ...events.modelFailed, by: asked(state)?.request ?? "e0" });
  const wait = asked(failed.state)?.wait;
  return { failed, again: wait ? step(failed.state, { ...events.due, for: wait.for }).state : failed.state };
};

type TextOf = (status: ThreadStatus, state: State) => string;

const shown: readonly (readonly [string, TextOf])[] = [
  ["Slack", (status) => slack.progress(progress(status), slackLimits).lead ?? ""],
  ["a Slack stream", (status) => JSON.stringify(createChunks(progress(status)).next(progress(status)))],
  ["Discord", (status) => discordRenderer(english).progress(progress(status), slackLimits).lead ?? ""],
  ["the console", (status, state) => stateNews({ conversation, state }, status, english).status?.text ?? ""],
];

const conversation = conversationOf("c-1");
const told = {
  conversation,
  words: new Map(),
  looks,
  question: null,
  covers: "",
  say: english,
  sandboxNotice: null,
  modelNotice: null,
};
const scene = { conversation, words: new Map(), looks, question: null };
const progress = (status: ThreadStatus): Progress => ({
  conversation: "c-1",
  status,
  live: "",
  permission: "restricted",
  asker: null,
});

describe.each(shown)("%s", (_, textOf) => {
  it.each([
    ["an answer", phases.thinking, /thinking/i],
    ["a summary", phases.summarizing, /writing a summary for a new thread/i],
  ] as const)("says of %s which attempt comes, and which one is under way", (_name, phase, doing) => {
    const first = inPhase(phase);
    expect(said(textOf, first)).toMatch(doing);
    expect(said(textOf, first)).not.toMatch(/attempt|try/);
    const one = failOnce(first);
    expect(said(textOf, one.failed.state)).toMatch(
      /Trying again in 1 s \(attempt 2 of 3\)|waiting for the model \(overloaded\), try 2 of 3 in 1 s\./,
    );
    expect(said(textOf, one.again)).toMatch(doing);
    expect(said(textOf, one.again)).toMatch(/(?:\(attempt|, try) 2 of 3/);
    const two = failOnce(one.again);
    expect(said(textOf, two.failed.state)).toMatch(
      /in 2 s \(attempt 3 of 3\)|waiting for the model \(overloaded\), try 3 of 3 in 2 s\./,
    );
    expect(said(textOf, two.again)).toMatch(doing);
    expect(said(textOf, two.again)).toMatch(/(?:\(attempt|, try) 3 of 3/);
  });
});

describe("the end", () => {
  const last = failOnce(failOnce(failOnce(inPhase(phases.thinking)).again).again).failed;
  const refused = step(inPhase(phases.thinking), {
    ...events.modelFailed,
    failure: { ...overloaded, kind: "auth", message: "Authentication failed." },
  });

  it.each([
    ["Slack", (post: Post) => JSON.stringify(slack.post(post, scene, slackLimits))],
    ["Discord", (post: Post) => JSON.stringify(discordRenderer(english).post(post, scene, slackLimits))],
    ["the console", (post: Post) => JSON.stringify(render({ ordinal: 1, revision: 1, post }, told))],
  ] as const)(
    "on %s says after how many attempts, and why; one that is not tried again says only why",
    (_, textOf) => {
      const toldOf = ({ state, append }: typeof last): string => {
        const before = { ...state, turn: { ...state.turn, end: null } };
        const posts = [...view(state, append).posts, turnPost(before, state, [], append, looks) ?? fail()];
        return posts.map(textOf).join("\n");
      };
      expect(toldOf(last)).toContain(overloaded.message);
      expect(toldOf(last)).toMatch(/Failed after 3 attempts|I tried 3 times\./);
      expect(toldOf(refused)).toContain("Authentication failed.");
      expect(toldOf(refused)).not.toMatch(/attempts|tried/);
    },
  );
});

const fail = (): never => {
  throw new Error("nothing is shown");
};
