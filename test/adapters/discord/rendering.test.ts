/** Rendering within Discord's limits, on the wire and with the real client. */

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createThreads } from "../../../adapters/discord/read/threads.ts";
import { createDiscordCalls } from "../../../adapters/discord/api/calls.ts";
import { createDiscordSurface, discordLimits } from "../../../adapters/discord/write/surface.ts";
import { createInteractionTokens } from "../../../adapters/discord/write/interaction-tokens.ts";
import type { Content, Operation, Thread } from "../../../src/ports/surface.ts";
import { createFakeDiscord, type FakeDiscordOptions } from "../../fakes/discord/fake.ts";
import { createVirtualClock } from "../../fakes/shared/clock.ts";
import { textAnswer } from "../../runtime/world.ts";
import { inPieces, OFTEN } from "../rig.ts";
import { createRig } from "./rig.ts";
import { english } from "../../../src/i18n/say.ts";

const SEND = "POST /channels/{channel}/messages";
const EDIT = "PATCH /channels/{channel}/messages/{message}";
const TYPING = "POST /channels/{channel}/typing";
const REFUSED = { kind: "error", status: 400, code: 50_035, message: "Invalid Form Body" } as const;

const scene = async (options: FakeDiscordOptions = {}) => {
  const clock = createVirtualClock();
  const fake = await createFakeDiscord({ rates: "off", clock, ...options });
  onTestFinished(() => fake.close());
  const asked = fake.as("alice").say("general", "Why?");
  fake.as("alice").openThread("general", "Why", { from: asked.id });
  const thread: Thread = { conversation: "c-1", surface: "discord", place: asked.channel, root: asked.id };
  const calls = createDiscordCalls({ token: fake.token, apiUrl: fake.apiUrl, timeout: 120_000 });
  onTestFinished(() => calls.close());
  const threads = createThreads(calls, { isChannel: () => false });
  const parts = { calls, clock, threads, whispers: createInteractionTokens(clock) };
  const surface = createDiscordSurface({
    ...parts,
    isForum: () => false,
    reach: { refused: () => undefined },
    called: { people: [], roles: [] },
    self: () => fake.world.app.bot,
    say: () => english,
  });
  const count = (route: string): number => fake.calls.filter((call) => call.route === route).length;
  return { fake, clock, thread, surface, count, text: () => fake.asText(asked.id) };
};

const said = (text: string): Content => ({ tone: "answer", text, buttons: [] });
const send = (thread: Thread, content: Content, wire = "k1"): Operation => ({
  kind: "send",
  thread,
  wire,
  hash: "h",
  content,
});
const status = (thread: Thread, id: string | null, text = "Thinking"): Operation => ({
  kind: "status",
  thread,
  wire: "s1",
  id,
  content: { ...said(text), tone: "status" },
});
const idOf = (outcome: { readonly kind: string; readonly id?: string }): string => {
  if (outcome.kind !== "done" || outcome.id === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.id;
};

describe("typing", () => {
  it("is renewed every eight seconds while work is shown, without another sign of it", async () => {
    const { clock, thread, surface, count } = await scene();
    await surface.hint(thread, "is thinking");
    await surface.hint(thread, "is running bash");
    expect(count(TYPING)).toBe(1);
    for (const times of [2, 3, 4]) {
      clock.advance(8_000);
      await vi.waitFor(() => expect(count(TYPING)).toBe(times));
      await new Promise(setImmediate);
    }
  });

  it.each(["send", "hint"] as const)("ends with the %s that ends the work", async (how) => {
    const { clock, thread, surface, count } = await scene();
    await surface.hint(thread, "is thinking");
    if (how === "send") await surface.apply(send(thread, said("Done.")));
    else await surface.hint(thread, null);
    clock.advance(60_000);
    await surface.apply(send(thread, said("More."), "k2"));
    expect(count(TYPING)).toBe(1);
  });

  it("is given up where Discord does not take it", async () => {
    const { fake, clock, thread, surface, count } = await scene();
    fake.fault({ kind: "status", status: 500 }, { match: { route: TYPING } });
    await surface.hint(thread, "is thinking");
    clock.advance(60_000);
    await surface.apply(send(thread, said("Done.")));
    expect(count(TYPING)).toBe(1);
  });
});

const STEPS = [{ action: "steps", label: "Steps", value: "c-1/1" }] as const;
const answer = (text: string): Content => ({ ...said(text), tone: "turn", buttons: STEPS });
const bodies = (fake: Awaited<ReturnType<typeof scene>>["fake"], route: string) =>
  fake.calls.filter((call) => call.route === route).map(({ body }) => Object(body));

describe("what carries buttons", () => {
  it("is a plain message that notifies with its words, and is known again by the mark on its buttons", async () => {
    const { fake, thread, surface } = await scene();
    const id = idOf(await surface.apply(send(thread, answer("It is in `a.ts`."))));
    expect(bodies(fake, SEND)).toMatchObject([
      { content: "It is in `a.ts`.", flags: 4, allowed_mentions: { parse: [] } },
    ]);
    expect(await surface.observe(thread, null, ["k1"])).toMatchObject({ messages: [{ id, wire: "k1" }] });
    await surface.apply({
      kind: "edit",
      thread,
      wire: "k1",
      id,
      hash: "h2",
      content: answer("It was in `a.ts`."),
    });
    expect(bodies(fake, EDIT)).toMatchObject([{ content: "It was in `a.ts`." }]);
    expect(fake.violations).toEqual([]);
  });

  it("is silent while it shows work, and where it goes on from the message that notified", async () => {
    const { fake, thread, surface } = await scene();
    await surface.apply({
      kind: "status",
      thread,
      wire: "s1",
      id: null,
      content: { ...answer("Running"), tone: "status" },
    });
    await surface.apply(send(thread, said("More of it."), "k2"));
    expect(bodies(fake, SEND).map(({ flags }) => flags & 4_096)).toEqual([4_096, 4_096]);
  });

  it("of more than 2,000 characters is made plain with its beginning, then whole in the same message", async () => {
    const { fake, thread, surface, text } = await scene();
    const long = "Every word of it. ".repeat(160);
    const id = idOf(await surface.apply(send(thread, answer(long))));
    const [made] = bodies(fake, SEND);
    expect(made.content.length).toBeLessThanOrEqual(2_000);
    expect(long.startsWith(made.content.trimEnd())).toBe(true);
    expect(bodies(fake, EDIT)).toMatchObject([{ content: null, flags: 32_768 }]);
    expect(text().match(/Every word/g)).toHaveLength(160);
    expect(await surface.observe(thread, null, ["k1"])).toMatchObject({ messages: [{ id, wire: "k1" }] });
    const shorter = answer("Less of it.");
    await surface.apply({ kind: "edit", thread, wire: "k1", id, hash: "h2", content: shorter });
    expect(text()).toContain("Less of it.");
    expect(fake.violations.splice(0).length).toBeLessThanOrEqual(1);
  });

  it("carries its files in the same message, each with what it is", async () => {
    const { fake, thread, surface } = await scene();
    const files = [
      { name: "chart.png", title: "The chart", mediaType: "image/png", bytes: Buffer.from("png") },
    ];
    await surface.apply({
      kind: "upload",
      thread,
      wire: "k1",
      hash: "h",
      content: answer("Here it is."),
      files,
    });
    expect(bodies(fake, SEND)).toMatchObject([
      { content: "Here it is.", attachments: [{ id: "0", description: "The chart" }] },
    ]);
    expect(fake.violations).toEqual([]);
  });
});

describe("components v2", () => {
  it("that are refused make texts shorter, and the message that was begun is not made twice", async () => {
    const { fake, thread, surface, count, text } = await scene();
    fake.fault(REFUSED, { times: 99, match: { contains: "32768" } });
    const long = "Every word of it. ".repeat(160);
    const id = idOf(await surface.apply(send(thread, answer(long))));
    expect(surface.limits.text).toBeLessThanOrEqual(2_000);
    const content = answer("Every word of it.");
    idOf(await surface.apply({ kind: "edit", thread, wire: "k1", id, hash: "h2", content }));
    expect(count(SEND)).toBe(1);
    expect(text().match(/from: @parley/g)).toHaveLength(1);
    idOf(await surface.apply(send(thread, said("And more."), "k2")));
    expect(text()).toContain("And more.");
  });

  it("keep messages that were made with them after that", async () => {
    const { fake, thread, surface, text } = await scene();
    const before = idOf(await surface.apply(send(thread, said("Before."))));
    fake.fault(REFUSED, { match: { route: SEND, contains: "32768" } });
    await surface.apply(send(thread, said("After."), "k2"));
    const content = said("Before, changed.");
    expect(
      await surface.apply({ kind: "edit", thread, wire: "k1", id: before, hash: "h2", content }),
    ).toMatchObject({
      kind: "done",
    });
    expect(text()).toBe(
      "--- from: @parley (bot) (edited)\nBefore, changed.\n--- from: @parley (bot)\nAfter.\n",
    );
    expect(fake.violations.splice(0)).toEqual([]);
  });

  it("are not given up for a content that plain messages are refused with too", async () => {
    const { fake, thread, surface } = await scene();
    fake.fault(REFUSED, { times: 2, match: { route: SEND } });
    expect(await surface.apply(send(thread, said("Bad.")))).toMatchObject({
      kind: "refused",
      permanent: true,
    });
    await surface.apply(send(thread, said("Good."), "k2"));
    expect(Object(fake.calls.at(-1)?.body).flags & 32_768).toBe(32_768);
  });
});

/** Blocks that one message holds, and more of them than one message takes. */
const LONG = [
  "The whole file:",
  ...Array.from({ length: 10 }, (_, block) =>
    [
      "",
      "```ts",
      ...Array.from({ length: 20 }, (__, line) => `const line${block * 20 + line} = "${"x".repeat(20)}";`),
      "```",
    ].join("\n"),
  ),
  "",
  "That was it.",
].join("\n");

const pieces = (text: string) =>
  text
    .split("--- from: @parley (bot)\n")
    .filter((piece) => piece.includes("const line"))
    .map((piece) => piece.trimEnd());
const whole = (parts: readonly string[]): void => {
  for (const part of parts) expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
  const lines = parts.flatMap((part) => part.match(/line\d+ /g) ?? []);
  expect(lines).toEqual(Array.from({ length: 200 }, (_, line) => `line${line} `));
};

describe("a long answer", () => {
  it("comes in messages of at most 4,000 characters, each with its fence whole", async () => {
    const rig = await createRig({ answer: () => textAnswer(LONG) });
    const asked = rig.fake.as("bob").say("general", "@parley show it");
    const parts = pieces(await rig.reads(asked.id, /That was it\.[^]*tricted[^·\n]* · [[`<]/));
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(4_000);
    whole(parts);
    expect(rig.fake.violations).toEqual([]);
  });

  it("of more than three messages is a file below its beginning", async () => {
    const rig = await createRig({ answer: () => textAnswer(LONG) });
    rig.fake.fault(REFUSED, { times: 999, match: { contains: "32768" } });
    const asked = rig.fake.as("bob").say("general", "@parley show it");
    const told = /This is the beginning of the answer\. The whole answer \(\d+ KB\) is attached\./;
    // What was read while it was written goes once the file stands.
    const text = await vi.waitFor(async () => {
      const now = await rig.reads(asked.id, told);
      expect(pieces(now)).toHaveLength(1);
      return now;
    }, OFTEN);
    const parts = pieces(text);
    expect(text).toContain("[file answer.md, ");
    expect((parts[0]?.match(/^```/gm) ?? []).length % 2).toBe(0);
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("edits", () => {
  it("of progress wait for the route's bucket as its headers tell it, and the newest text is what comes", async () => {
    const gate = Promise.withResolvers<void>();
    const rig = await createRig({
      patience: 0,
      fake: { rates: { [EDIT]: { size: 1, perMs: 2_000 } } },
      stream: async (text) => {
        for (let word = 0; word < 25; word += 1) {
          text(`word${word} `);
          await new Promise((resolve) => setTimeout(resolve, 60));
        }
        await gate.promise;
      },
    });
    const asked = rig.fake.as("bob").say("general", "@parley tell");
    await rig.reads(asked.id, /word24/);
    gate.resolve();
    await rig.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    const edits = rig.fake.calls.filter(({ route }) => route === EDIT);
    expect(edits.length).toBeLessThanOrEqual(4);
  });

  it("cost a streamed answer no more writes than its edit interval allows: at most one a second", async () => {
    const { editEvery } = discordLimits;
    expect(editEvery).toBeGreaterThanOrEqual(1_000);
    let took = 0;
    const rig = await createRig({
      patience: 0,
      stream: async (text) => {
        const from = performance.now();
        await inPieces("a word ".repeat(100), 7, 20)(text);
        took = performance.now() - from;
      },
    });
    const asked = rig.fake.as("bob").say("general", "@parley tell");
    await rig.reads(asked.id, /tricted[^·\n]* · [[`<]/);
    const shown = rig.fake.calls.filter(
      ({ route, body }) =>
        route === EDIT || (route === SEND && JSON.stringify(body).includes("Still working")),
    );
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.length).toBeLessThanOrEqual(1.2 * (Math.ceil(took / editEvery) + 2));
    expect(rig.fake.violations).toEqual([]);
  });

  it("of a progress message older than an hour are not made: another one takes its place", async () => {
    const { clock, thread, surface, count } = await scene();
    const id = idOf(await surface.apply(status(thread, null)));
    clock.advance(30 * 60_000);
    expect(await surface.apply(status(thread, id, "Half an hour"))).toEqual({ kind: "done", id });
    expect(count(EDIT)).toBe(1);
    clock.advance(30 * 60_000);
    expect(await surface.apply(status(thread, id, "An hour"))).toEqual({ kind: "done", id, lasts: 0 });
    expect(count(EDIT)).toBe(1);
  });
});

const answering = (to: string | null, calls: boolean): Content => ({
  ...answer("So it is."),
  reply: { to, person: "discord:42", calls },
});

describe("the message that answers", () => {
  it("replies to the question where that stands in its thread, and calls whoever waited long (TA26)", async () => {
    const { fake, thread, surface } = await scene();
    const question = fake.as("alice").say(thread.root, "And why so?");
    await surface.apply(send(thread, answering(question.id, false)));
    await surface.apply(send(thread, answering(question.id, true), "k2"));
    expect(bodies(fake, SEND)).toMatchObject([
      {
        message_reference: { message_id: question.id, fail_if_not_exists: false },
        allowed_mentions: { parse: [], replied_user: false },
      },
      { allowed_mentions: { parse: [], replied_user: true } },
    ]);
    expect(fake.violations).toEqual([]);
  });

  it("replies to nothing where the question began the thread, and calls by name alone", async () => {
    const { fake, thread, surface } = await scene();
    await surface.apply(send(thread, answering(thread.root, false)));
    await surface.apply(send(thread, answering(thread.root, true), "k2"));
    const [first, second] = bodies(fake, SEND);
    expect(first.message_reference).toBeUndefined();
    expect(first.allowed_mentions).toEqual({ parse: [] });
    expect(second.allowed_mentions).toEqual({ parse: [], users: ["42"] });
  });
});

it("WD8 a table is a list on the working card and in the answer", async () => {
  const table = "The hosts:\n\n| Host | Load |\n|---|---|\n| db-1 | 90 % |\n";
  const gate = Promise.withResolvers<void>();
  const rig = await createRig({
    patience: 0,
    stream: (text) => {
      text(table);
      return gate.promise;
    },
    answer: () => Promise.resolve(textAnswer(table)),
  });
  const asked = rig.fake.as("bob").say("general", "@parley which?");
  const list = /\*\*Host\*\* · \*\*Load\*\*\n- db-1 · 90 %/;
  const working = await rig.reads(asked.id, list);
  expect(working).not.toMatch(/\|---|90 % \|/);
  gate.resolve();
  const answered = await rig.reads(asked.id, /tricted[^·\n]* · [[`<]/);
  expect(answered).toMatch(list);
  expect(rig.fake.violations).toEqual([]);
});
