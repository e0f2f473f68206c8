/** The surface port against Slack on the wire, with the real client. */

import { onTestFinished, describe, expect, it } from "vitest";
import type { Content, Operation, Thread } from "../../../../src/ports/surface.ts";
import { createStreamGate } from "../../../../adapters/slack/write/stream-gate.ts";
import { createSlackSurface } from "../../../../adapters/slack/write/surface.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";
import { createFakeSlack, type FakeSlack } from "../../../fakes/slack/fake.ts";
import type { Fault } from "../../../fakes/slack/fault.ts";
import { app, team } from "../../../fakes/slack/world.ts";
import { unstreamed } from "../streams.ts";
import { createSlackClient } from "../../../../adapters/slack/api/client.ts";

const scene = async (timeout = 120_000) => {
  const fake = await createFakeSlack({ rates: "off" });
  onTestFinished(() => fake.close());
  const root = put(fake, "Please have a look.");
  const thread: Thread = { conversation: "c-1", surface: "slack", place: "CGENERAL", root };
  const client = createSlackClient(fake.botToken, { apiUrl: fake.apiUrl, timeout });
  return {
    fake,
    thread,
    surface: unstreamed(client),
    streaming: () => {
      const clock = createVirtualClock();
      const self = { team: team.id, enterprise: null, user: app.user, bot: app.bot, name: app.name };
      const gate = createStreamGate({ places: "all", self: () => self, clock, log: silentLog });
      return createSlackSurface(client, { native: { gate, clock } });
    },
    text: () => fake.threadAsText("CGENERAL", root),
  };
};

const put = (fake: FakeSlack, text: string): string => {
  const ts = fake.world.nextTs();
  fake.world.put({ channel: "CGENERAL", ts, user: "UALICE", text, reactions: [], files: [] });
  return ts;
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

describe("steps", () => {
  const steps = {
    kind: "steps",
    title: "2 steps · 3 s",
    rows: [{ title: "Ran npm test", detail: "", failed: true }],
  } as const;
  const stepped: Content = { ...answer, below: [steps, { kind: "host", text: "Restricted" }] };

  it("stand folded in the message", async () => {
    const { fake, thread, surface, text } = await scene();
    expect((await surface.apply(send(thread, stepped))).kind).toBe("done");
    expect(text()).toContain("plan: 2 steps · 3 s");
    expect(fake.violations).toEqual([]);
  });

  it("are left out where Slack refuses them, at once and from then on; nothing else of the message is lost", async () => {
    const { fake, thread, surface, text } = await scene();
    fake.fault(
      { kind: "error", error: "invalid_blocks" },
      { times: Number.POSITIVE_INFINITY, match: { contains: '"plan"' } },
    );
    const first = await surface.apply(send(thread, stepped));
    if (first.kind !== "done") throw new Error(first.kind);
    expect(fake.calls.filter(({ method }) => method === "chat.postMessage")).toHaveLength(2);
    expect((await surface.apply(send(thread, stepped, "k2"))).kind).toBe("done");
    expect(fake.calls.filter(({ method }) => method === "chat.postMessage")).toHaveLength(3);
    expect(text()).toMatch(/It \*may\*\.\nRestricted\n[^]*It \*may\*\.\nRestricted\n$/);
    expect(text()).not.toContain("plan:");
  });

  it("are kept where something else is refused", async () => {
    const { fake, thread, surface, text } = await scene();
    fake.fault({ kind: "error", error: "invalid_blocks" }, { times: 2 });
    expect(await surface.apply(send(thread, stepped))).toMatchObject({ kind: "refused", permanent: true });
    expect((await surface.apply(send(thread, stepped))).kind).toBe("done");
    expect(text()).toContain("plan: 2 steps");
  });
});

describe("operations", () => {
  it("make, change and remove messages of the thread, and read back what they are", async () => {
    const { fake, thread, surface, text } = await scene();
    const sent = await surface.apply(send(thread, question));
    if (sent.kind !== "done") throw new Error(sent.kind);
    const status = { kind: "status", thread, wire: "k2", content: { ...answer, tone: "status" } } as const;
    const shown = await surface.apply({ ...status, id: null });
    if (shown.kind !== "done") throw new Error(shown.kind);
    expect(text()).toMatch(
      /^--- from: @alice\n[^]*\*\*May it write\?\*\*[^]*\[Approve\] \[Deny\] \[Deny, and say why\]\n[^]*It \*may\*\.\n$/,
    );
    const { id } = sent;
    const finish = { kind: "finish", thread, wire: "k1", id, hash: "h2", content: answer } as const;
    expect(await surface.apply(finish)).toEqual({ kind: "done", id });
    expect(await surface.observe(thread, null, [])).toEqual({
      kind: "seen",
      messages: [
        { id, wire: "k1", hash: "h2" },
        { id: shown.id, wire: "k2", hash: null },
      ],
    });
    expect(await surface.observe(thread, id, [])).toMatchObject({ messages: [{ wire: "k2" }] });
    expect(await surface.apply({ kind: "delete", thread, wire: "k2", id: shown.id })).toMatchObject({
      kind: "done",
    });
    expect(text()).toBe(
      "--- from: @alice\nPlease have a look.\n--- from: parley (bot) (edited)\nIt *may*.\n",
    );
    expect(fake.violations).toEqual([]);
  });

  it("post an answer whole that was begun as a stream, where neither its end nor its removal is answered", async () => {
    const { fake, thread, streaming, text } = await scene();
    const surface = streaming();
    const reply = { person: "slack:UALICE", to: null, calls: false } as const;
    const begun = await surface.apply({
      ...send(thread, { ...answer, reply, text: "It *may*" }),
      isOpen: true,
    });
    if (begun.kind !== "done") throw new Error(begun.kind);
    fake.fault({ kind: "nonsense", text: "<html>" }, { match: { method: "chat.stopStream" } });
    fake.fault({ kind: "cut", applied: true, how: "reset" }, { match: { method: "chat.delete" } });
    const finish = { kind: "finish", thread, wire: "k1", id: begun.id, hash: "h2", content: answer } as const;
    expect(await surface.apply(finish)).toMatchObject({ kind: "unknown" });
    expect(await surface.apply(finish)).toMatchObject({ kind: "gone", isReplaced: true });
    expect(text()).toBe("--- from: @alice\nPlease have a look.\n");
  });

  it("read all pages of a long thread", async () => {
    const { thread, surface } = await scene();
    for (let count = 0; count < 205; count += 1) await surface.apply(send(thread, answer, `k${count}`));
    const seen = await surface.observe(thread, null, []);
    if (seen.kind !== "seen") throw new Error(seen.kind);
    expect(new Set(seen.messages.map(({ wire }) => wire)).size).toBe(205);
    expect(seen.messages).toHaveLength(205);
  });

  it("take no other app's or person's message for ours", async () => {
    const { fake, thread, surface } = await scene();
    const metadata = { event_type: "other", event_payload: { key: "k1" } };
    const reply = { channel: "CGENERAL", ts: fake.world.nextTs(), threadTs: thread.root, user: "UBOB" };
    fake.world.put({ ...reply, text: "k1", metadata, reactions: [], files: [] });
    expect(await surface.observe(thread, null, [])).toEqual({ kind: "seen", messages: [] });
  });

  it("tell one person alone", async () => {
    const { fake, thread, surface } = await scene();
    const to = { place: thread.place, root: thread.root, person: "UBOB" };
    expect(await surface.answer(to, { text: "Busy <!channel>", buttons: [] }, null)).toMatchObject({
      kind: "done",
    });
    expect(fake.world.ephemerals).toMatchObject([{ for: "UBOB", text: "Busy &lt;!channel&gt;" }]);
  });

  it("of model text mention nobody in what notifications show", async () => {
    const { fake, thread, surface } = await scene();
    await surface.apply(send(thread, { ...answer, text: "<!channel> <@UBOB>" }));
    expect(fake.calls.at(-1)?.args["text"]).toBe("&lt;!channel&gt; &lt;@UBOB&gt;");
  });
});

describe("what no form can be made of", () => {
  it("is refused for good without a call, and its plain text is taken", async () => {
    const { fake, thread, surface, text } = await scene();
    const broken: Content = {
      ...answer,
      get text(): string {
        throw new RangeError("too deep");
      },
    };
    expect(await surface.apply(send(thread, broken))).toEqual({
      kind: "refused",
      why: "RangeError: too deep",
      permanent: true,
      fault: true,
    });
    expect(fake.calls).toEqual([]);
    const plain = { ...answer, text: "*as* <@UBOB> `is` | it\n-|-", plain: true } as const;
    expect(await surface.apply(send(thread, plain))).toMatchObject({ kind: "done" });
    expect(text()).toContain("*as* <\u200b@UBOB> `is` | it\n-|-");
    expect(fake.violations).toEqual([]);
  });
});

const faults: readonly (readonly [string, Fault, object])[] = [
  ["429", { kind: "status", status: 429, retryAfter: "7" }, { kind: "throttled", retryAfter: 7_000 }],
  ["ratelimited", { kind: "error", error: "ratelimited" }, { kind: "throttled", retryAfter: 30_000 }],
  ["a reset", { kind: "cut", applied: true, how: "reset" }, { kind: "unknown" }],
  ["no answer in time", { kind: "stall", applied: false }, { kind: "unknown" }],
  ["503", { kind: "status", status: 503, body: "html" }, { kind: "unknown" }],
  ["429 without Retry-After", { kind: "status", status: 429 }, { kind: "unknown" }],
  ["no JSON", { kind: "nonsense", text: "<html>" }, { kind: "unknown" }],
  ["JSON without a timestamp", { kind: "nonsense", text: '{"ok":true}' }, { kind: "unknown" }],
  ["internal_error", { kind: "error", error: "internal_error" }, { kind: "unknown" }],
  ["403", { kind: "status", status: 403, body: "html" }, { kind: "refused", permanent: false }],
  ["is_archived", { kind: "error", error: "is_archived" }, { kind: "gone", what: "thread" }],
  ["token_revoked", { kind: "error", error: "token_revoked" }, { kind: "gone", what: "thread" }],
  ["msg_too_long", { kind: "error", error: "msg_too_long" }, { kind: "refused", permanent: true }],
];

describe("failures are values", () => {
  it.each(faults)("%s", async (_, fault, outcome) => {
    const { fake, thread, surface } = await scene(fault.kind === "stall" ? 5_000 : undefined);
    fake.fault(fault, { match: { method: "chat.postMessage" } });
    expect(await surface.apply(send(thread))).toMatchObject(outcome);
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "done" });
  });

  it("nobody listening: nothing was sent", async () => {
    const { fake, thread, surface } = await scene();
    await fake.close();
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "refused", permanent: false });
  });

  it("a message that is gone is told from a thread that is gone", async () => {
    const { thread, surface } = await scene();
    const edit = { kind: "edit", thread, wire: "k", id: "1.000001", hash: "h", content: answer } as const;
    expect(await surface.apply(edit)).toMatchObject({ kind: "gone", what: "message" });
    expect(await surface.open(thread)).toMatchObject({ kind: "done" });
    expect(await surface.open({ ...thread, root: "1.000001" })).toMatchObject({
      kind: "gone",
      what: "thread",
    });
    expect(await surface.open({ ...thread, place: "CNONE" })).toMatchObject({ kind: "gone", what: "thread" });
  });

  it("a reply that Slack put into the channel, because the thread is deleted, is taken back", async () => {
    const { fake, thread, surface } = await scene();
    const root = fake.world.message("CGENERAL", thread.root);
    if (root === undefined) throw new Error("no root");
    fake.world.remove(root);
    expect(await surface.apply(send(thread))).toMatchObject({ kind: "gone", what: "thread" });
    expect(fake.world.messages("CGENERAL")).toEqual([]);
  });
});
