/** The surface port against Discord on the wire, with the real REST client. */

import { describe, expect, it, onTestFinished } from "vitest";
import { createThreads } from "../../../../adapters/discord/read/threads.ts";
import { createDiscordCalls } from "../../../../adapters/discord/api/calls.ts";
import { createDiscordSurface } from "../../../../adapters/discord/write/surface.ts";
import { createInteractionTokens } from "../../../../adapters/discord/write/interaction-tokens.ts";
import type { PrivateNote, Content, Operation, Thread } from "../../../../src/ports/surface.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";
import { createFakeDiscord, type FakeDiscordOptions } from "../../../fakes/discord/fake.ts";
import type { Fault } from "../../../fakes/discord/fault.ts";
import { english } from "../../../../src/i18n/say.ts";

const SEND = "POST /channels/{channel}/messages";

interface SceneOptions extends FakeDiscordOptions {
  readonly isOpen?: boolean;
  readonly timeout?: number;
}

/** Alice has asked in #general; `open`: her question has its thread. */
const scene = async (options: SceneOptions = {}) => {
  const clock = createVirtualClock();
  const fake = await createFakeDiscord({ rates: "off", clock, ...options });
  onTestFinished(() => fake.close());
  const asked = fake.as("alice").say("general", "<@1> Why does **it** fail?");
  if (options.isOpen !== false) fake.as("alice").openThread("general", "Why", { from: asked.id });
  const thread: Thread = { conversation: "c-1", surface: "discord", place: asked.channel, root: asked.id };
  const calls = createDiscordCalls({
    token: fake.token,
    apiUrl: fake.apiUrl,
    timeout: options.timeout ?? 20_000,
  });
  onTestFinished(() => calls.close());
  const threads = createThreads(calls, { isChannel: () => false });
  const whispers = createInteractionTokens(clock);
  const surface = createDiscordSurface({
    calls,
    clock,
    threads,
    isForum: () => false,
    reach: { refused: () => undefined },
    called: { people: [], roles: [] },
    whispers,
    self: () => fake.world.app.bot,
    say: () => english,
  });
  return { fake, clock, thread, surface, threads, whispers, text: () => fake.asText(asked.id) };
};

const question: Content = {
  tone: "question",
  text: "**May it write?**",
  buttons: [
    { action: "approve", label: "Approve", value: "w1" },
    { action: "deny", label: "Deny", value: "w1" },
  ],
};
const answer: Content = { tone: "answer", text: "It *may*.", buttons: [] };

const send = (thread: Thread, content = answer, wire = "k1"): Operation & { kind: "send" } => ({
  kind: "send",
  thread,
  wire,
  hash: "h1",
  content,
});

const upload = (thread: Thread): Operation & { kind: "upload" } => {
  const source = { kind: "blob", hash: "h" } as const;
  const file = { name: "change.diff", mediaType: "text/x-diff" };
  return {
    kind: "upload",
    thread,
    wire: "k1",
    hash: "h1",
    content: { tone: "notice", text: "The **diff**.", buttons: [], files: [{ ...file, source }] },
    files: [{ ...file, bytes: Buffer.from("+ a line\n") }],
  };
};

const idOf = (outcome: { readonly kind: string; readonly id?: string }): string => {
  if (outcome.kind !== "done" || outcome.id === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.id;
};

describe("operations", () => {
  it("make, change and remove messages of the thread, and find them again by their keys", async () => {
    const { fake, thread, surface, text } = await scene();
    const id = idOf(await surface.apply(send(thread, question)));
    const status = {
      kind: "status",
      thread,
      wire: "k2",
      content: { tone: "status", lead: "It *may*.", text: "", buttons: [] },
    } as const;
    const shown = idOf(await surface.apply({ ...status, id: null }));
    expect(text()).toBe(
      "--- from: @parley (bot)\n**May it write?**\n[Approve] [Deny] [Deny, and say why]\n--- from: @parley (bot)\n-# It *may*.\n",
    );
    const finish = { kind: "finish", thread, wire: "k1", id, hash: "h2", content: answer } as const;
    expect(await surface.apply(finish)).toEqual({ kind: "done", id });
    const sought = ["k0", "k1", "k2"];
    expect(await surface.observe(thread, null, sought)).toEqual({
      kind: "seen",
      messages: [
        { id, wire: "k1", hash: null },
        { id: shown, wire: "k2", hash: null },
      ],
    });
    expect(await surface.observe(thread, id, sought)).toMatchObject({ messages: [{ wire: "k2" }] });
    expect(await surface.apply({ kind: "delete", thread, wire: "k2", id: shown })).toMatchObject({
      kind: "done",
    });
    expect(text()).toBe("--- from: @parley (bot) (edited)\nIt *may*.\n");
    expect(fake.violations).toEqual([]);
  });

  it("carry a file with its message, which an edit leaves there", async () => {
    const { fake, thread, surface, text } = await scene();
    const id = idOf(await surface.apply(upload(thread)));
    expect(text()).toBe("--- from: @parley (bot)\nThe **diff**.\n[file change.diff, 9 bytes]\n");
    expect(idOf(await surface.apply(upload(thread)))).toBe(id);
    const content: Content = { ...upload(thread).content, text: "The diff again." };
    const finish = { kind: "finish", thread, wire: "k1", id, hash: "h2", content } as const;
    expect(await surface.apply(finish)).toEqual({ kind: "done", id });
    expect(text()).toBe("--- from: @parley (bot) (edited)\nThe diff again.\n[file change.diff, 9 bytes]\n");
    expect(await surface.observe(thread, null, ["k1"])).toMatchObject({ messages: [{ id, wire: "k1" }] });
    expect(fake.violations).toEqual([]);
  });

  it("refuse a file of more than 10 MB without sending it; one of 10 MB is taken", async () => {
    const { fake, thread, surface } = await scene();
    const large = (bytes: number): Operation => ({
      ...upload(thread),
      files: upload(thread).files.map((file) => ({ ...file, bytes: Buffer.alloc(bytes) })),
    });
    expect(await surface.apply(large(10 * 1_048_576 + 1))).toEqual({
      kind: "refused",
      why: "files may have 10 MB",
      permanent: true,
    });
    expect(fake.calls).toEqual([]);
    expect(await surface.apply(large(10 * 1_048_576))).toMatchObject({ kind: "done" });
  });

  it("say that a file may not be attached, where the thread takes words", async () => {
    const { fake, thread, surface } = await scene();
    fake.fault(
      { kind: "error", status: 403, code: 50_013, message: "Missing Permissions" },
      { match: { route: SEND } },
    );
    expect(await surface.apply(upload(thread))).toEqual({
      kind: "refused",
      why: "the bot may not attach files here",
      permanent: true,
    });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
  });

  it("sent again are there once, with the newest text", async () => {
    const { thread, surface, text } = await scene();
    const first = await surface.apply(send(thread));
    expect(await surface.apply(send(thread))).toEqual(first);
    expect(text()).toBe("--- from: @parley (bot)\nIt *may*.\n");
    expect(await surface.apply(send(thread, { ...answer, text: "It may not." }))).toEqual(first);
    expect(text()).toBe("--- from: @parley (bot) (edited)\nIt may not.\n");
  });

  it("read all pages of a long thread", async () => {
    const { fake, thread, surface } = await scene();
    const wires = ["k1", "k2", "k3"];
    for (const wire of wires) {
      await surface.apply(send(thread, answer, wire));
      for (let count = 0; count < 110; count += 1) fake.as("alice").say(thread.root, "more");
    }
    const seen = await surface.observe(thread, null, wires);
    if (seen.kind !== "seen") throw new Error(seen.kind);
    expect(seen.messages.map(({ wire }) => wire)).toEqual(wires);
    expect(fake.calls.filter(({ route }) => route === "GET /channels/{channel}/messages")).toHaveLength(4);
  });

  it("take no other bot's or person's message for ours", async () => {
    const { fake, thread, surface } = await scene();
    idOf(await surface.apply(send(thread)));
    const ours = fake.world.messages(thread.root).at(-1);
    if (ours === undefined) throw new Error("no message");
    fake.world.put({ ...ours, author: fake.as("bob").id });
    expect(await surface.observe(thread, null, ["k1"])).toEqual({ kind: "seen", messages: [] });
  });

  it("of model text mention nobody and preview nothing", async () => {
    const { fake, clock, thread, surface } = await scene();
    const text = `<@${fake.as("bob").id}> @everyone https://example.com`;
    fake.admin.overwrite("general", "parley", { allow: ["MentionEveryone"] });
    idOf(await surface.apply(send(thread, { ...answer, text })));
    clock.advance(1_000);
    const message = fake.world.messages(thread.root).at(-1);
    expect(message).toMatchObject({ mentions: { users: [], everyone: false }, embeds: [] });
  });

  it("open an archived thread before they change what stands in it", async () => {
    const { fake, thread, surface, text } = await scene();
    const id = idOf(await surface.apply(send(thread, question)));
    fake.as("alice").archive(thread.root);
    const edit = { kind: "edit", thread, wire: "k1", id, hash: "h", content: answer } as const;
    expect(await surface.apply(edit)).toEqual({ kind: "done", id });
    fake.as("alice").archive(thread.root);
    expect(await surface.apply({ kind: "delete", thread, wire: "k1", id })).toEqual({ kind: "done", id });
    expect(text()).toBe("");
  });

  it("never write to a locked thread, even where the app could", async () => {
    const { fake, thread, surface, threads } = await scene();
    fake.admin.overwrite("general", "parley", { allow: ["ManageThreads"] });
    fake.as("maria").lock(thread.root);
    const told = (locked: boolean) => ({ id: thread.root, thread_metadata: { locked } });
    threads.hear("THREAD_UPDATE", told(true));
    const before = fake.calls.length;
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "gone", what: "thread" });
    expect(fake.calls).toHaveLength(before);
    expect(await surface.open(thread)).toMatchObject({ kind: "gone", what: "thread" });
    threads.hear("THREAD_UPDATE", told(false));
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
  });
});

describe("opening", () => {
  it("starts the thread on its message, named after it, once", async () => {
    const { fake, thread, surface } = await scene({ isOpen: false });
    expect(await surface.open(thread)).toEqual({ kind: "done", id: thread.root });
    expect(fake.world.channelNamed(thread.root)).toMatchObject({ name: "Why does it fail?" });
    expect(await surface.open(thread)).toEqual({ kind: "done", id: thread.root });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
  });

  it("starts one that is known not to be there with the first message, in two calls, and shows no typing before", async () => {
    const { fake, thread, surface, threads } = await scene({ isOpen: false });
    threads.awaits(thread.root, "Why does it fail?");
    await surface.hint(thread, "reads");
    expect(fake.calls).toEqual([]);
    await surface.apply(send(thread));
    await surface.apply(send(thread, answer, "k2"));
    await surface.hint(thread, "reads");
    expect(fake.calls.map(({ route }) => route)).toEqual([
      "POST /channels/{channel}/messages/{message}/threads",
      SEND,
      SEND,
      "POST /channels/{channel}/typing",
    ]);
    expect(fake.world.channelNamed(thread.root)).toMatchObject({ name: "Why does it fail?" });
  });

  it.each([
    ["a rule of the server", { kind: "error", status: 400, code: 200001, message: "Title was blocked" }],
    ["Discord's form", { kind: "error", status: 400, code: 50035, message: "Invalid Form Body" }],
  ] as const)("WD5 has a plain title if %s refuses the first one", async (_, fault) => {
    const { fake, thread, surface } = await scene({ isOpen: false });
    fake.fault(fault, { match: { route: "POST /channels/{channel}/messages/{message}/threads" } });
    expect(await surface.open(thread)).toEqual({ kind: "done", id: thread.root });
    expect(fake.world.channelNamed(thread.root)).toMatchObject({ name: "Parley" });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
  });

  it("WD5 is not tried again with another title if threads cannot be started at all", async () => {
    const { fake, thread, surface } = await scene({ isOpen: false });
    const full = {
      kind: "error",
      status: 400,
      code: 160006,
      message: "Maximum number of active threads",
    } as const;
    fake.fault(full, { match: { route: "POST /channels/{channel}/messages/{message}/threads" } });
    expect(await surface.open(thread)).toMatchObject({ kind: "gone", what: "thread" });
    expect(fake.calls.filter(({ route }) => route.endsWith("/threads"))).toHaveLength(1);
  });

  it("one that somebody has started meanwhile is taken, and one that was deleted is not started again", async () => {
    const { fake, thread, surface, threads } = await scene({ isOpen: false });
    threads.awaits(thread.root, "Why does it fail?");
    fake.as("alice").openThread("general", "Mine", { from: thread.root });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
    expect(fake.world.channelNamed(thread.root)).toMatchObject({ name: "Mine" });
    threads.awaits(thread.root, "Why does it fail?");
    threads.hear("THREAD_CREATE", { id: thread.root, parent_id: thread.place, thread_metadata: {} });
    threads.hear("THREAD_DELETE", { id: thread.root });
    fake.admin.deleteChannel(thread.root);
    expect(await surface.apply(send(thread, answer, "k2"))).toMatchObject({ kind: "gone", what: "thread" });
  });

  it("opens an archived one; a forum post is its own thread; of direct messages there is the channel", async () => {
    const { fake, thread, surface } = await scene();
    fake.as("alice").archive(thread.root);
    expect(await surface.open(thread)).toMatchObject({ kind: "done" });
    expect(fake.world.channelNamed(thread.root)).toMatchObject({ archived: false });
    const { id } = fake.as("alice").ask("help", { name: "Broken", text: "Why?" });
    const post = { ...thread, place: fake.world.channelNamed("help").id, root: id };
    expect(await surface.open(post)).toEqual({ kind: "done", id });
    const { channel } = fake.as("alice").whisper("psst");
    const direct = { ...thread, place: channel, root: channel };
    expect(await surface.open(direct)).toMatchObject({ kind: "done" });
    expect(await surface.apply(send(direct))).toMatchObject({ kind: "done" });
  });

  it("does not start again what was deleted, nor hang a thread on nothing", async () => {
    const { fake, thread, surface } = await scene();
    fake.admin.deleteChannel(thread.root);
    expect(await surface.open(thread)).toMatchObject({
      kind: "gone",
      what: "thread",
      why: "the thread was deleted",
    });
    expect(await surface.open({ ...thread, root: "100000000000000001" })).toMatchObject({ kind: "gone" });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "gone", what: "thread" });
  });
});

const note = (text: string): PrivateNote => ({ text, buttons: [] });

describe("a private answer", () => {
  it("goes to whoever clicked lately, seen by them alone", async () => {
    const { fake, clock, thread, surface, whispers, text } = await scene();
    const id = idOf(await surface.apply(send(thread, question)));
    const click = fake.as("bob").click({ channel: thread.root, id }, "Approve");
    const callback = `${fake.apiUrl}/v10/interactions/${click.id}/${click.token}/callback`;
    const headers = {
      "content-type": "application/json",
      "user-agent": "DiscordBot (https://example.com, 1)",
    };
    await fetch(callback, { method: "POST", headers, body: '{"type":6}' });
    whispers.keep(thread.root, click.user, { application: fake.world.app.id, token: click.token });
    const to = { place: thread.place, root: thread.root, person: click.user };
    expect(await surface.answer(to, note("Not you"), null)).toMatchObject({ kind: "done" });
    expect(text()).toContain("(only for @bob)");
    clock.advance(14 * 60_000 + 1);
    expect(await surface.answer(to, note("Still not you"), null)).toMatchObject({ kind: "done" });
    expect(text()).toMatch(/--- from: @parley \(bot\)\n@bob Still not you\n$/);
  });
});

const faults: readonly (readonly [string, Fault, object])[] = [
  ["429", { kind: "limited", retryAfter: 7 }, { kind: "throttled" }],
  ["429 for all", { kind: "limited", retryAfter: 7, scope: "global" }, { kind: "throttled" }],
  ["a reset", { kind: "cut", applied: true, how: "reset" }, { kind: "unknown" }],
  ["no answer in time", { kind: "stall", applied: false }, { kind: "unknown" }],
  ["503", { kind: "status", status: 503, body: "html" }, { kind: "unknown" }],
  ["no JSON", { kind: "nonsense", text: "<html>" }, { kind: "unknown" }],
  ["a JSON of another kind", { kind: "nonsense", text: '{"ok":true}' }, { kind: "unknown" }],
  [
    "missing permissions",
    { kind: "error", status: 403, code: 50_013, message: "no" },
    { kind: "gone", what: "thread" },
  ],
  [
    "an unknown refusal",
    { kind: "error", status: 403, code: 99_999, message: "no" },
    { kind: "refused", permanent: false },
  ],
];

describe("failures are values", () => {
  it.each(faults)("%s", async (_, fault, outcome) => {
    const { fake, thread, surface } = await scene(fault.kind === "stall" ? { timeout: 5_000 } : {});
    fake.fault(fault, { match: { route: SEND } });
    expect(await surface.apply(send(thread))).toMatchObject(outcome);
  });

  it("a message sent without an acknowledgement is found, or sent again to the same effect", async () => {
    const { fake, thread, surface, text } = await scene();
    fake.fault({ kind: "cut", applied: true }, { match: { route: SEND } });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "unknown" });
    expect(await surface.observe(thread, null, ["k1"])).toMatchObject({ messages: [{ wire: "k1" }] });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
    expect(text()).toBe("--- from: @parley (bot)\nIt *may*.\n");
  });

  it("a thread whose start something else than Discord answers is started again", async () => {
    const { fake, thread, surface, text } = await scene({ isOpen: false });
    const route = "POST /channels/{channel}/messages/{message}/threads";
    fake.fault({ kind: "nonsense", text: "<html>" }, { match: { route } });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "unknown" });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
    expect(text()).toBe("--- from: @parley (bot)\nIt *may*.\n");
  });

  it("a deletion that something else than Discord answers is not taken for done", async () => {
    const { fake, thread, surface } = await scene();
    const id = idOf(await surface.apply(send(thread)));
    const remove = { kind: "delete", thread, wire: "k1", id } as const;
    const route = "DELETE /channels/{channel}/messages/{message}";
    fake.fault({ kind: "nonsense", text: "<html>" }, { match: { route } });
    expect(await surface.apply(remove)).toMatchObject({ kind: "unknown" });
    expect(await surface.apply(remove)).toEqual({ kind: "done", id });
  });

  it("a first message whose fate is unknown is sent again: the thread was not started, or was", async () => {
    const { fake, thread, surface, text } = await scene({ isOpen: false });
    fake.fault({ kind: "cut", applied: false }, { match: { route: SEND } });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "unknown" });
    expect(await surface.observe(thread, null, ["k1"])).toEqual({ kind: "seen", messages: [] });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
    expect(text()).toBe("--- from: @parley (bot)\nIt *may*.\n");
    fake.admin.deleteChannel(thread.root);
    expect(await surface.observe(thread, null, ["k1"])).toEqual({ kind: "seen", messages: [] });
    expect(await surface.apply(send(thread, answer, "k2"))).toMatchObject({ kind: "gone", what: "thread" });
  });

  it("nobody listening: nothing was sent", async () => {
    const { fake, thread, surface } = await scene();
    await fake.close();
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "refused", permanent: false });
  });

  it("an exhausted bucket says when it may be tried again", async () => {
    const { thread, surface } = await scene({ rates: { [SEND]: { size: 1, perMs: 60_000 } } });
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
    const outcome = await surface.apply(send(thread, answer, "k2"));
    expect(outcome.kind === "throttled" && outcome.retryAfter).toBeGreaterThan(50_000);
  });

  it("a message that is gone is told from a thread that is gone", async () => {
    const { thread, surface } = await scene();
    const edit = {
      kind: "edit",
      thread,
      wire: "k",
      id: "100000000000000001",
      hash: "h",
      content: answer,
    } as const;
    expect(await surface.apply(edit)).toMatchObject({ kind: "gone", what: "message" });
  });
});
