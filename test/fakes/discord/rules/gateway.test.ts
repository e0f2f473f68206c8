import { once } from "node:events";
import { createInflate } from "node:zlib";
import { type Client, Events, GatewayIntentBits as Intent } from "discord.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { createVirtualClock } from "../../shared/clock.ts";
import { createFakeDiscord } from "../fake.ts";
import { clientOn, harness, readyOn } from "../harness.ts";

const frameSchema = z.object({ op: z.int(), t: z.string().nullish(), s: z.int().nullish(), d: z.unknown() });

/** The next `count` texts that the client hears. */
const hearing = (client: Client, count: number): Promise<readonly string[]> => {
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  client.on(Events.MessageCreate, ({ content }) => {
    heard.push(content);
    if (heard.length === count) resolve(heard);
  });
  return promise;
};

test("the real client logs in, knows its guilds and channels, and hears what is said", async () => {
  const { fake } = await harness();
  const client = await readyOn(fake);
  const names = client.guilds.cache.map(({ name, channels }) => [
    name,
    channels.cache.map((one) => one.name),
  ]);
  expect(names).toEqual([["Community", ["general", "other", "help"]]]);
  const heard = hearing(client, 2);
  fake.as("alice").say("general", "hello @parley");
  fake.as("bob").whisper("psst");
  expect(await heard).toEqual([`hello <@${fake.world.app.bot}>`, "psst"]);
  expect(fake.violations).toEqual([]);
});

test.each(["cut", "close", "reconnect"] as const)(
  "after %s the client resumes and is told what it missed",
  async (how) => {
    const { fake } = await harness();
    const client = await readyOn(fake);
    const heard = hearing(client, 3);
    fake.as("alice").say("general", "before");
    const [connection] = fake.gateway.open;
    if (how === "close") connection?.close(4_000);
    else connection?.[how]();
    await fake.gateway.waitFor(1, "closed");
    fake.as("alice").say("general", "while away");
    await fake.gateway.waitFor(1, "resumed");
    fake.as("alice").say("general", "after");
    expect(await heard).toEqual(["before", "while away", "after"]);
    expect(fake.gateway.changes.filter(({ kind }) => kind === "identified")).toHaveLength(1);
  },
);

test("an invalid session is begun anew and what happened in between is lost", async () => {
  const { fake } = await harness({ times: { identifyWindowMs: 0 } });
  const client = await readyOn(fake);
  const heard = hearing(client, 1);
  fake.gateway.open[0]?.invalidate(false);
  await fake.gateway.waitFor(1, "closed");
  fake.as("alice").say("general", "while away");
  await fake.gateway.waitFor(2, "identified");
  fake.as("alice").say("general", "after");
  expect(await heard).toEqual(["after"]);
});

test("an invalid session that can be resumed is resumed on the same connection", async () => {
  const { fake } = await harness();
  await readyOn(fake);
  fake.gateway.open[0]?.invalidate(true);
  expect(await fake.gateway.waitFor(1, "resumed")).toMatchObject([{ connection: 1 }]);
});

test("a session is gone after its time: resuming is answered by op 9", async () => {
  const { fake, clock } = await harness({ times: { identifyWindowMs: 0 } });
  await readyOn(fake);
  fake.gateway.open[0]?.cut();
  await fake.gateway.waitFor(1, "closed");
  clock.advance(180_001);
  await fake.gateway.waitFor(2, "identified");
  expect(fake.gateway.changes.some(({ kind }) => kind === "resumed")).toBe(false);
});

test("a connection that no longer acknowledges beats is left and resumed", async () => {
  const { fake } = await harness({ times: { heartbeatIntervalMs: 60 } });
  fake.gateway.fault({ kind: "noAck" });
  await readyOn(fake);
  expect(await fake.gateway.waitFor(1, "closed")).toMatchObject([{ code: 4_200 }]);
  await fake.gateway.waitFor(1, "resumed");
});

test("beats are acknowledged, and asked for out of turn", async () => {
  const { fake } = await harness();
  await readyOn(fake);
  const beats = fake.gateway.waitFor(1, "beat");
  fake.gateway.open[0]?.askForBeat();
  await beats;
  expect(fake.gateway.open).toHaveLength(1);
});

test("without the intent words are hidden but for direct messages and mentions", async () => {
  const { fake } = await harness();
  const client = await readyOn(fake, {
    intents: [Intent.Guilds, Intent.GuildMessages, Intent.DirectMessages],
  });
  const heard = hearing(client, 3);
  fake.as("alice").say("general", "secret");
  fake.as("alice").say("general", "hi @parley");
  fake.as("alice").whisper("direct");
  expect(await heard).toEqual(["", `hi <@${fake.world.app.bot}>`, "direct"]);
});

describe("what Discord will not have is closed with its code", () => {
  test.each([
    ["a wrong token", 4_004, {}, { token: "MTAw.wrong.token" }],
    ["an intent that is not granted", 4_014, { privileged: [] }, {}],
    ["too few shards", 4_011, { guildsPerShard: 0 }, {}],
  ] as const)("%s: %i", async (_name, code, options, identify) => {
    const { fake } = await harness(options);
    const { closed, send } = await rawOn(fake.port);
    send({ op: 2, d: { token: fake.token, intents: 32_768, properties: {}, ...identify } });
    expect(await closed).toBe(code);
    fake.violations.splice(0);
  });

  test.each([
    ["no JSON", 4_002, "nonsense"],
    ["an unknown op", 4_001, '{"op":99}'],
    ["a payload before identifying", 4_003, '{"op":3,"d":{}}'],
    ["an invalid intent", 4_013, `{"op":2,"d":{"token":"T","intents":${2 ** 30},"properties":{}}}`],
    [
      "a shard that there is not",
      4_010,
      '{"op":2,"d":{"token":"T","intents":1,"shard":[2,2],"properties":{}}}',
    ],
    ["a payload that is too long", 4_002, `{"op":3,"d":"${"x".repeat(5_000)}"}`],
  ])("%s: %i", async (_name, code, text) => {
    const { fake } = await harness();
    const { closed, socket } = await rawOn(fake.port);
    socket.send(text.replace('"T"', JSON.stringify(fake.token)));
    expect(await closed).toBe(code);
    expect(fake.violations.splice(0)).toHaveLength(1);
  });

  test("more than 120 sends a minute: 4008", async () => {
    const { fake } = await harness();
    const { closed, send } = await rawOn(fake.port);
    for (let count = 0; count < 121; count += 1) send({ op: 1, d: null });
    expect(await closed).toBe(4_008);
    fake.violations.splice(0);
  });
});

test("the real client is told of a wrong token and of an intent that is not granted", async () => {
  const bad = await harness();
  await expect(clientOn(bad.fake).login("MTAw.wrong.token")).rejects.toThrow("An invalid token was provided");
  const refused = await harness({ privileged: [] });
  await expect(clientOn(refused.fake).login(refused.fake.token)).rejects.toThrow("Used disallowed intents");
  refused.fake.violations.splice(0);
});

test("guilds lie over shards, direct messages on the first", async () => {
  const guilds = Array.from({ length: 8 }, (_, at) => ({
    name: `g${at}`,
    channels: [{ name: `c${at}` }],
    members: [{ name: "alice" }],
  }));
  const { fake } = await harness({ guilds, shards: 2, maxConcurrency: 16 });
  const client = await readyOn(fake, { shards: "auto" });
  expect(client.guilds.cache.filter(({ shardId }) => shardId === 1).size).toBe(4);
  expect(client.guilds.cache.size).toBe(8);
  const heard = hearing(client, 9);
  for (const at of guilds.keys()) fake.as("alice").say(`c${at}`, "here");
  fake.as("alice").whisper("direct");
  expect(await heard).toHaveLength(9);
  const identified = fake.gateway.changes.filter(({ kind }) => kind === "identified");
  expect(new Set(identified.map(({ shard }) => shard))).toEqual(new Set([0, 1]));
});

test("sessions are started one at a time in five seconds, and a day has so many", async () => {
  const { fake, clock } = await harness({ sessionLimit: 2 });
  const identify = { op: 2, d: { token: fake.token, intents: 1, properties: {} } };
  const first = await rawOn(fake.port);
  first.send(identify);
  await fake.gateway.waitFor(1, "identified");
  const early = await rawOn(fake.port);
  early.send(identify);
  expect(await early.next()).toMatchObject({ op: 9, d: false });
  clock.advance(5_000);
  early.send(identify);
  await fake.gateway.waitFor(2, "identified");
  clock.advance(5_000);
  const last = await rawOn(fake.port);
  last.send(identify);
  expect(await last.closed).toBe(4_004);
});

test("a client that asks for it gets one zlib stream", async () => {
  const { fake } = await harness();
  const { socket, texts } = await packedOn(fake.port);
  expect(await texts(1)).toMatchObject([{ op: 10 }]);
  socket.send(JSON.stringify({ op: 2, d: { token: fake.token, intents: 513, properties: {} } }));
  expect(await texts(3)).toMatchObject([{ op: 10 }, { t: "READY", s: 1 }, { t: "GUILD_CREATE", s: 2 }]);
});

test("a connection can be dropped, refused, left without a hello, and closed after it", async () => {
  const fake = await createFakeDiscord({ clock: createVirtualClock() });
  onTestFinished(() => fake.close());
  fake.gateway.fault({ kind: "drop" }, { kind: "refuse", status: 503 }, { kind: "close", code: 4_000 });
  const address = `ws://127.0.0.1:${fake.port}/?v=10&encoding=json`;
  await expect(once(new WebSocket(address), "open")).rejects.toMatchObject({ code: "ECONNRESET" });
  await expect(once(new WebSocket(address), "open")).rejects.toThrow("Unexpected server response: 503");
  const [code] = await once(new WebSocket(address), "close");
  expect(code).toBe(4_000);
});

const rawOn = async (port: number) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?v=10&encoding=json`);
  onTestFinished(() => socket.terminate());
  const frames: unknown[] = [];
  const waiting: ((frame: unknown) => void)[] = [];
  socket.on("message", (data: Buffer) => {
    const frame = frameSchema.parse(JSON.parse(data.toString("utf8")));
    const next = waiting.shift();
    if (next === undefined) frames.push(frame);
    else next(frame);
  });
  const closed = once(socket, "close").then(([code]: unknown[]) => code);
  const next = (): Promise<unknown> =>
    frames.length > 0 ? Promise.resolve(frames.shift()) : new Promise((resolve) => waiting.push(resolve));
  expect(await next()).toMatchObject({ op: 10 });
  return { socket, closed, next, send: (frame: object) => socket.send(JSON.stringify(frame)) };
};

const packedOn = async (port: number) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?v=10&encoding=json&compress=zlib-stream`);
  onTestFinished(() => socket.terminate());
  const inflate = createInflate();
  let text = "";
  const changed = { wake: (): void => undefined };
  socket.on("message", (data: Buffer) => inflate.write(data));
  inflate.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
    changed.wake();
  });
  const texts = async (count: number): Promise<readonly unknown[]> => {
    const complete = (): boolean => framesIn(text).length >= count && text.endsWith("}");
    while (!complete()) {
      await new Promise<void>((resolve) => {
        changed.wake = resolve;
      });
    }
    return framesIn(text).map((one): unknown => JSON.parse(one));
  };
  return { socket, texts };
};

const framesIn = (text: string): readonly string[] => text.split(/(?<=\})(?=\{"op")/);
