/** Progress as native streams, over the wire, through the real deliverer: what people see, and what it costs. */

import { describe, expect, it, onTestFinished } from "vitest";
import { slackRenderer } from "../../../../adapters/slack/write/render.ts";
import { createStreamGate } from "../../../../adapters/slack/write/stream-gate.ts";
import { createSlackSurface, slackLimits } from "../../../../adapters/slack/write/surface.ts";
import type { State } from "../../../../src/machine/state.ts";
import { createDeliverer } from "../../../../src/runtime/deliver/deliverer.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import type { ThreadStatus } from "../../../../src/thread/post.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";
import { createFakeSlack } from "../../../fakes/slack/fake.ts";
import { app, team } from "../../../fakes/slack/world.ts";
import { maskHere } from "../../../mask-here.ts";
import { beginIn, commitOf, notice, takeIn } from "../../../store/plain.ts";
import { openMemory } from "../../../store/in-memory.ts";
import { looks } from "../../../looks.ts";
import { createSlackClient } from "../../../../adapters/slack/api/client.ts";

const ID = "c-1";
const thinking: ThreadStatus = { kind: "thinking", tool: null, attempt: 1, wait: null, actions: ["stop"] };
const running = (tool: string): ThreadStatus => ({ ...thinking, kind: "running", tool });

const ALICE = { id: "slack:UALICE", mayDrive: true, mayApprove: true } as const;

const createDesk = async (asker: State["turn"]["speaker"] = ALICE) => {
  const clock = createVirtualClock();
  const fake = await createFakeSlack({ rates: "off", clock });
  onTestFinished(() => fake.close());
  const root = fake.world.nextTs();
  fake.world.put({
    channel: "CGENERAL",
    ts: root,
    user: "UALICE",
    text: "Please.",
    reactions: [],
    files: [],
  });
  const { store, ledger } = openMemory();
  const fresh = await beginIn(store, ID);
  const state: State = { ...fresh, turn: { ...fresh.turn, no: 1, speaker: asker } };
  await ledger.bind({ conversation: ID, surface: "slack", place: "CGENERAL", root });
  const client = createSlackClient(fake.botToken, { apiUrl: fake.apiUrl, timeout: 120_000 });
  const self = { team: team.id, enterprise: null, user: app.user, bot: app.bot, name: app.name };
  const gate = createStreamGate({ places: "all", self: () => self, clock, log: silentLog });
  let ids = 0;
  const deliverer = createDeliverer({
    name: "slack",
    surface: createSlackSurface(client, {
      limits: { ...slackLimits, patienceOf: () => 0 },
      native: { gate, clock },
    }),
    renderer: slackRenderer,
    languageAt: () => "en",
    toolLooks: looks,
    store,
    ledger,
    blobs: { get: () => Promise.resolve(null) },
    maskFile: maskHere,
    clock,
    log: silentLog,
    randomId: () => `id${ids++}`,
    fault: () => undefined,
  });
  const writes: { readonly at: number; readonly method: string }[] = [];
  let counted = 0;
  const still = async (): Promise<void> => {
    await deliverer.quiet();
    for (const { method } of fake.calls.slice(counted))
      if (method.startsWith("chat.")) writes.push({ at: clock.now(), method });
    counted = fake.calls.length;
  };
  return {
    fake,
    clock,
    writes,
    still,
    text: () => fake.threadAsText("CGENERAL", root),
    streaming: () =>
      fake.world
        .thread("CGENERAL", root)
        .map(({ stream }) => stream)
        .filter((one) => one !== undefined),
    status: async (status: ThreadStatus | null) => {
      const stored = store.load(ID);
      if (stored === null) throw new Error("no conversation");
      deliverer.heard(ID, { kind: "state", overview: { ...stored, state }, status, question: null });
      await still();
    },
    live: async (text: string) => {
      deliverer.heard(ID, { kind: "live", request: "e1", text });
      await still();
    },
    answer: async (key: string) => {
      await takeIn(store, commitOf(fresh, { posts: [notice(key, 1)] }));
      deliverer.heard(ID, { kind: "posts", rows: [] });
      await still();
    },
    pass: async (time: number) => {
      const step = time < 60_000 ? 250 : 20_000;
      for (let left = time; left > 0; left -= step) {
        clock.advance(Math.min(step, left));
        await still();
      }
    },
  };
};

describe("a stream", () => {
  it("begins with the work, gets whole lines, a card for each tool and one line of state, and goes with the turn", async () => {
    const desk = await createDesk();
    await desk.status(thinking);
    await desk.live("Let me look <!channel>.\n\n```ts\nlet a");
    await desk.pass(2_000);
    await desk.status(running("bash"));
    await desk.pass(2_000);
    await desk.status(thinking);
    await desk.live(
      "Let me look <!channel>.\n\n```ts\nlet a = 1;\n```\nDone [here](https://a.example/x).\nAnd",
    );
    await desk.pass(2_000);
    await expect(desk.text()).toMatchFileSnapshot("stream.txt");
    await desk.status(null);
    await desk.pass(2_000);
    expect(desk.streaming()).toEqual([]);
    expect(desk.fake.violations).toEqual([]);
  });

  it("costs at most 1.2 times what its edits would, and never two writes of progress in a second", async () => {
    for (const seconds of [0.5, 1.4, 2, 3.1, 8, 20]) {
      const desk = await createDesk();
      await desk.status(thinking);
      const words = Array.from({ length: seconds * 10 }, (_, index) => `Line ${index}.\n`);
      for (let at = 1; at <= words.length; at += 1) {
        await desk.live(words.slice(0, at).join(""));
        await desk.pass(100);
      }
      await desk.answer("answer");
      await desk.status(null);
      await desk.pass(5_000);
      // Begun, stopped and removed, with the answer and one more at the end.
      const bound = 1.2 * (Math.ceil((seconds * 1_000) / slackLimits.editEvery) + 4);
      console.log(`a stream of ${seconds} s: ${desk.writes.length} writes of at most ${bound.toFixed(1)}`);
      expect(desk.writes.length, `${seconds} s`).toBeLessThanOrEqual(bound);
      const shown = desk.writes
        .filter(({ method }) => /(start|append)Stream$/.test(method))
        .map(({ at }) => at);
      for (const [index, at] of shown.entries())
        expect(at - (shown[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(1_000);
      expect(desk.streaming()).toEqual([]);
      expect(desk.fake.violations).toEqual([]);
    }
  });

  it("is replaced before Slack ends it, however little happens, and there is never more than one", async () => {
    const desk = await createDesk();
    await desk.status(running("bash"));
    for (let minute = 0; minute < 11; minute += 1) {
      await desk.pass(60_000);
      expect(desk.streaming()).toEqual(["in_progress"]);
    }
    expect(desk.writes.filter(({ method }) => method === "chat.startStream")).toHaveLength(3);
    await desk.status(null);
    await desk.pass(2_000);
    expect(desk.streaming()).toEqual([]);
  });

  it("is replaced where it was ended early, or where what it says does not hold any more", async () => {
    const desk = await createDesk();
    await desk.status(thinking);
    await desk.live("First try.\n");
    desk.fake.fault(
      { kind: "error", error: "message_not_in_streaming_state" },
      { match: { method: "chat.appendStream" } },
    );
    await desk.pass(4_000);
    expect(desk.text()).toContain("First try.");
    await desk.live("Second try, other words.\n");
    await desk.pass(4_000);
    expect(desk.text()).toContain("Second try");
    expect(desk.text()).not.toContain("First try");
    expect(desk.streaming()).toEqual(["in_progress"]);
  });

  it("that is full goes on in another from a line on, code as code", async () => {
    const desk = await createDesk();
    await desk.status(thinking);
    const text = `\`\`\`ts\n${Array.from({ length: 1_500 }, (_, index) => `line(${index});`).join("\n")}\n`;
    for (let end = 1_000; end < text.length; end += 1_000) {
      await desk.live(text.slice(0, end));
      await desk.pass(1_500);
    }
    expect(desk.streaming()).toEqual(["in_progress"]);
    expect(desk.text().length).toBeLessThan(14_000);
    expect(desk.text()).toMatch(/\n```\nline\(\d+\);\n/);
    expect(desk.fake.violations).toEqual([]);
  });

  it("whose beginning was not acknowledged is found by its state and removed with the turn", async () => {
    const desk = await createDesk();
    desk.fake.fault({ kind: "cut", applied: true, how: "reset" }, { match: { method: "chat.startStream" } });
    await desk.status(thinking);
    await desk.live("A line.\n");
    await desk.pass(5_000);
    expect(desk.streaming()).toEqual(["in_progress"]);
    expect(desk.text()).toContain("A line.");
    await desk.answer("answer");
    await desk.status(null);
    await desk.pass(5_000);
    expect(desk.streaming()).toEqual([]);
    expect(desk.text()).toMatch(/Stopped by/);
  });

  it("that is told to wait loses no line, and holds up no edit of a message", async () => {
    const desk = await createDesk();
    await desk.status(thinking);
    desk.fake.fault(
      { kind: "status", status: 429, retryAfter: "20" },
      { match: { method: "chat.appendStream" } },
    );
    await desk.live("First line.\n");
    await desk.pass(4_000);
    expect(desk.text()).not.toContain("First line.");
    await desk.live("First line.\nSecond line.\n");
    await desk.pass(20_000);
    expect(desk.text()).toContain("First line.\nSecond line.");
    expect(desk.writes.map(({ method }) => method)).toEqual([
      "chat.startStream",
      "chat.appendStream",
      "chat.appendStream",
    ]);
  });

  it("that may not begin yet is posted at once; the next turn's is a stream again", async () => {
    const desk = await createDesk();
    desk.fake.fault(
      { kind: "status", status: 429, retryAfter: "20" },
      { match: { method: "chat.startStream" } },
    );
    await desk.status(thinking);
    expect(desk.writes.map(({ method }) => method)).toEqual(["chat.startStream", "chat.postMessage"]);
    await desk.pass(2_000);
    await desk.status(null);
    await desk.pass(20_000);
    await desk.status(thinking);
    expect(desk.streaming()).toEqual(["in_progress"]);
  });

  it("is stopped before it is removed, so that Slack's own line about the work goes with it", async () => {
    const desk = await createDesk();
    await desk.status(thinking);
    await desk.status(null);
    await desk.pass(2_000);
    expect(desk.writes.map(({ method }) => method)).toEqual([
      "chat.startStream",
      "chat.stopStream",
      "chat.delete",
    ]);
    const stopped = desk.fake.calls.find(({ method }) => method === "chat.stopStream");
    expect(stopped?.args).toMatchObject({ session_status: "active" });
    expect(desk.streaming()).toEqual([]);
  });
});

describe("where there are no streams", () => {
  const refusals = ["unknown_method", "missing_scope", "feature_not_enabled", "user_not_found"];
  it.each(refusals)(
    "%s: progress is one message that is edited, and no stream is tried for an hour",
    async (error) => {
      const desk = await createDesk();
      desk.fake.fault({ kind: "error", error }, { match: { method: "chat.startStream" } });
      await desk.status(thinking);
      await desk.live("A line.\n");
      await desk.pass(4_000);
      await desk.answer("answer");
      await desk.pass(4_000);
      await desk.status(null);
      await desk.pass(2_000);
      const methods = desk.writes.map(({ method }) => method);
      expect(methods.filter((method) => method === "chat.startStream")).toHaveLength(1);
      expect(methods).toContain("chat.update");
      expect(desk.text()).not.toContain("A line.");
      await desk.pass(60 * 60_000);
      await desk.status(thinking);
      expect(desk.streaming()).toEqual(["in_progress"]);
    },
  );

  it.each([
    ["nobody", null],
    ["somebody of another surface", { ...ALICE, id: "console:operator" as const }],
  ])("a turn of %s is shown by edits", async (_, asker) => {
    const desk = await createDesk(asker);
    await desk.status(thinking);
    await desk.live("A line.\n");
    await desk.pass(4_000);
    expect(desk.writes.map(({ method }) => method)).toEqual(["chat.postMessage", "chat.update"]);
    expect(desk.text()).toContain("A line.");
  });
});
