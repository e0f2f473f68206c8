/** 40.C1: a turn that takes minutes keeps its connection, and a client whose connection was ended finds its turn again. */

import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PACE } from "../../../src/features/gateway/respond.ts";
import { type SilenceProxy, startSilenceProxy } from "../../fakes/silence.ts";
import { createManualClock, type ManualClock } from "../../runtime/world.ts";
import { type GatewayRig, openGateway, TALK, thrown } from "./rig.ts";

const MINUTE = 60_000;

let clock: ManualClock;
let rig: GatewayRig;
let proxy: SilenceProxy | null = null;
beforeEach(async () => {
  clock = createManualClock();
  rig = await openGateway({ clock, pace: PACE });
});
afterEach(async () => {
  await proxy?.close();
  proxy = null;
  await rig.close();
});

interface Asked {
  readonly origin?: string;
  readonly stream?: boolean;
  readonly session?: string | null;
  readonly text?: string;
  readonly signal?: AbortSignal;
}

/** One request as any HTTP client sends it. */
const send = ({ origin = rig.origin, stream = true, session = "s1", text = "Where?", signal }: Asked = {}) =>
  fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${TALK}`,
      "content-type": "application/json",
      ...(session === null ? {} : { "x-session-id": session }),
    },
    body: JSON.stringify({ model: "parley", stream, messages: [{ role: "user", content: text }] }),
    ...(signal && { signal }),
  });

/** A turn that ends when the test says so. */
const holding = (pieces: readonly string[] = []) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  rig.script.answer({ pieces, until: promise });
  return resolve;
};

const thinking = () => expect.poll(() => rig.bot.list(1, null)[0]?.state.phase.kind).toBe("thinking");

const turns = () => rig.bot.list(9, null).map(({ state }) => state.turn.no);

/** Time passes second by second, with room for what each second causes. */
const pass = async (seconds: number, until: () => boolean = () => false): Promise<void> => {
  for (let count = 0; count < seconds && !until(); count += 1) {
    clock.advance(1_000);
    await settled();
  }
};

/** What is on its way over a socket of this machine has arrived. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
};

describe("a turn without text for a minute", () => {
  it("40.C1 sends the head of a stream after ten seconds, and a comment every fifteen", async () => {
    const finish = holding();
    const asked = send();
    await thinking();
    clock.advance(9_999);
    expect(await Promise.race([asked, settled()])).toBeUndefined();
    clock.advance(1);
    const answer = await asked;
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-accel-buffering")).toBe("no");
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    await pass(60);
    finish();
    const text = await answer.text();
    expect(text.split(": working\n\n").length - 1).toBe(5);
    expect(text.replaceAll(": working\n\n", "")).toMatch(/^data: .*\n\n[\s\S]*data: \[DONE\]\n\n$/);
  });

  it("40.C1 sends white space before the JSON of a request without `stream`", async () => {
    const finish = holding(["In retry.ts"]);
    const asked = send({ stream: false });
    await thinking();
    await pass(60);
    const answer = await asked;
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.headers.get("x-accel-buffering")).toBe("no");
    finish();
    const text = await answer.text();
    expect(text).toMatch(/^\n{4}\{/);
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: "In retry.ts" } }] });
  });

  it("40.C1 has a comment between two texts, too", async () => {
    const finish = holding(["In "]);
    const answer = await send();
    await pass(46);
    finish();
    expect((await answer.text()).split(": working\n\n").length - 1).toBe(3);
  });

  it("40.C1 an error keeps its status before the head; after it, it is an event, or the body's error", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    rig.script.answer({ until: promise, fails: "no key" }, { until: promise, fails: "no key" });
    const early = [send({ session: "a" }), send({ session: "b", stream: false })];
    await expect.poll(() => rig.script.asked.length).toBe(2);
    clock.advance(9_000);
    resolve();
    expect((await Promise.all(early)).map(({ status }) => status)).toEqual([502, 502]);

    const late = Promise.withResolvers<void>();
    rig.script.answer({ until: late.promise, fails: "no key" }, { until: late.promise, fails: "no key" });
    const streamed = rig.stream("Where?", "c");
    const whole = send({ session: "d", stream: false });
    await expect.poll(() => rig.script.asked.length).toBe(4);
    clock.advance(10_000);
    const answer = await whole;
    late.resolve();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ error: { code: "auth", type: "server_error" } });
    expect(await thrown(streamed)).toMatchObject({ code: "auth" });
  });
});

describe("a retry of a request in flight", () => {
  it("40.C1 joins the turn that the first one began, and gets all of its text", async () => {
    const finish = holding(["In "]);
    const first = await send();
    const second = await send();
    finish();
    const [one, two] = await Promise.all([first.text(), second.text()]);
    expect(two).toBe(one);
    expect(turns()).toEqual([1]);
  });

  it("40.C1 finds the turn of a client that is gone, with a session and without, and its answer after its end", async () => {
    for (const session of ["s1", null]) {
      const finish = holding(["In "]);
      const cut = new AbortController();
      const first = await send({ session, signal: cut.signal });
      cut.abort();
      await expect(first.text()).rejects.toThrow(/abort/i);
      await settled();
      clock.advance(8_000);
      finish();
      const id = rig.conversation();
      await expect.poll(async () => (await rig.bot.read(id))?.state.turn.end?.why).toBe("answered");
      const second = await send({ session, stream: false });
      expect(await second.json()).toMatchObject({ choices: [{ message: { content: "In " } }] });
      expect(second.headers.get("x-session-id")).toBe(first.headers.get("x-session-id"));
    }
    expect(turns()).toEqual([1, 1]);
  });

  it("40.C1 is none after the answer was delivered, in another session, or from another client without one", async () => {
    rig.script.answer({ pieces: ["One."] }, { pieces: ["Two."] }, { pieces: ["Three."] });
    expect(await rig.ask("Where?")).toBe("One.");
    expect(await rig.ask("Where?")).toBe("Two.");
    expect(await rig.ask("Where?", "s2")).toBe("Three.");
    const finish = holding(["Both."]);
    const both = [send({ session: null }), send({ session: null })];
    await expect.poll(() => rig.script.asked.length).toBe(5);
    finish();
    await Promise.all(both.map(async (one) => (await one).text()));
    expect(turns().toSorted((a, b) => a - b)).toEqual([1, 1, 1, 2]);
  });

  it("40.C1 a turn without a client is stopped after fifteen seconds, or at once for another message", async () => {
    const leave = async (text: string): Promise<void> => {
      holding(["In "]);
      const cut = new AbortController();
      const first = await send({ signal: cut.signal, text });
      cut.abort();
      await expect(first.text()).rejects.toThrow(/abort/i);
      await settled();
    };
    const end = async () => (await rig.bot.read(rig.conversation()))?.state.turn.end?.why;
    await leave("Where?");
    clock.advance(14_000);
    await settled();
    expect(await end()).not.toBe("stopped");
    clock.advance(1_000);
    await expect.poll(end).toBe("stopped");

    await leave("And there?");
    rig.script.answer({ pieces: ["Here."] });
    expect(await rig.ask("Or here?")).toBe("Here.");
    expect(turns()).toEqual([3]);
  });
});

const throughProxy = async (maxRetries: number) => {
  const { port } = new URL(rig.origin);
  proxy = await startSilenceProxy(clock, { port: Number(port), most: 6_000 });
  return {
    proxy,
    client: new OpenAI({ apiKey: TALK, baseURL: `${proxy.origin}/v1`, maxRetries }),
  };
};

describe("behind a proxy that ends connections that are silent for six seconds", () => {
  const question = { model: "parley", messages: [{ role: "user" as const, content: "Where?" }] };

  it("40.C1 OpenAI's client repeats its request by itself, and the question is one turn with one answer", async () => {
    const { proxy: between, client } = await throughProxy(2);
    const finish = holding(["In retry.ts"]);
    const asked = client.chat.completions.create(question, { headers: { "X-Session-Id": "s1" } });
    await thinking();
    for (const cut of [1, 2]) {
      await pass(7, () => between.ended() === cut);
      await expect.poll(between.open).toBe(1);
      await settled();
    }
    finish();
    expect((await asked).choices[0]?.message.content).toBe("In retry.ts");
    expect([between.ended(), rig.script.asked.length, turns()]).toEqual([2, 1, [1]]);
  });

  it("40.C1 nothing is ended if the gateway gives its signs more often than that", async () => {
    await rig.close();
    rig = await openGateway({ clock, pace: { ...PACE, head: 4_000, beat: 5_000 } });
    const { proxy: between, client } = await throughProxy(0);
    const finish = holding(["In retry.ts"]);
    const asked = client.chat.completions.create({ ...question, stream: true });
    await thinking();
    await pass(300);
    finish();
    let text = "";
    for await (const { choices } of await asked) text += choices[0]?.delta.content ?? "";
    expect([text, between.ended(), turns()]).toEqual(["In retry.ts", 0, [1]]);
    expect(clock.now()).toBeGreaterThan(5 * MINUTE);
  });
});
