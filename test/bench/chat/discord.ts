/**
 * Two hundred events a second from one community, and five hundred guilds with five thousand live threads on
 * one process.
 *
 * Of the events most are people who talk to each other in live threads; ten a second are commands, which Discord wants
 * acknowledged in three seconds, and every three seconds a mention opens a thread. The host is what `npm start` makes,
 * and both times are taken in the fake (`discord-load.ts`), which keeps Discord's rate limits.
 *
 * For the memory the host's process has the real discord.js, the real store in a file and the whole Discord surface; the fake Discord is a
 * process of its own. An hour of traffic comes in six parts without the pauses between: in each, people talk to each
 * other in every thread's turn, some open a new thread with a question that is answered, and the threads of the part before the last
 * are archived. After each part the garbage is collected and the memory is read: what the parts after the second add is
 * growth.
 */

import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { Bench, Scale } from "../bench.ts";
import { type Child, launch } from "../child.ts";
import { atMost, type Figure, measured } from "../figure.ts";
import { startHost } from "../host.ts";
import { smallRepository } from "../repository.ts";
import { temporary } from "../temporary.ts";

type Note = (line: string) => void;

interface Size {
  readonly guilds: number;
  readonly threadsEach: number;
  readonly parts: number;
  readonly messages: number;
  readonly questions: number;
}

const SIZES: Readonly<Record<"full" | "tiny", Size>> = {
  full: { guilds: 500, threadsEach: 10, parts: 6, messages: 3_000, questions: 50 },
  tiny: { guilds: 4, threadsEach: 2, parts: 3, messages: 20, questions: 2 },
};
/** Parts until every table and cache has its size. */
const WARM = 2;
const AT_ONCE = 8;
/** Milliseconds from one question to the next: in life they are seconds apart. */
const BETWEEN = 200;
const MB = 2 ** 20;

const server = z.object({ url: z.string(), apiUrl: z.string(), token: z.string() });
const address = z.object({ channel: z.string(), id: z.string() });
const announced = z.object({ apiUrl: z.string(), token: z.string() });
const times = z.object({ acks: z.array(z.number()), silences: z.array(z.number()) });
const memory = z.object({ rss: z.number(), heap: z.number() });

export const discordBench: Bench = {
  name: "discord",
  what: "a community with 200 events a second; memory with 500 guilds and 5,000 live threads over an hour's traffic",
  run: async (scale, note) => [...(await busy(scale, note)), ...(await held(SIZES[scale], note))],
};

const busy = async (scale: Scale, note: Note): Promise<readonly Figure[]> => {
  const [rate, pressed, seconds, between] = scale === "tiny" ? [50, 5, 2, 1] : [200, 10, 60, 3];
  await using place = await temporary();
  const repo = await smallRepository(join(place.path, "repo"));
  await using load = launch([
    new URL("./discord-load.ts", import.meta.url).pathname,
    ...[rate, pressed, seconds, between, repo].map(String),
  ]);
  const discord = announced.parse(JSON.parse(await load.line()));
  await using host = await startHost({
    data: join(place.path, "data"),
    compileCache: join(place.path, "cache"),
    repo,
    discord,
  });
  note(`${rate} events a second for ${seconds} s at ${host.origin}`);
  load.write("go\n");
  const { acks, silences } = times.parse(JSON.parse(await load.line()));
  return [
    measured(`interaction to acknowledgement, ${rate} events a second`, "ms", acks, atMost(300, "p99")),
    measured("mention to the first sign of life in its thread", "ms", silences, atMost(500, "p95")),
  ];
};

const held = async (size: Size, note: Note): Promise<readonly Figure[]> => {
  await using place = await temporary();
  await using fake = launch([new URL("../../fakes/discord/main.ts", import.meta.url).pathname], {
    FAKE_DISCORD: JSON.stringify({ rates: "off", guilds: guildsOf(size) }),
  });
  const at = server.parse(JSON.parse(await fake.line()));
  const world = createWorld(at.url, size);
  note(`opening ${size.guilds * size.threadsEach} threads`);
  const threads = await world.open();
  await using host = launch(["--expose-gc", new URL("./discord-child.ts", import.meta.url).pathname]);
  host.write(`${JSON.stringify({ ...at, data: place.path, threads })}\n`);
  await host.lineWith(/^ready$/);
  const before = await sample(host, 0);
  note(`${Math.round(before.rss / MB)} MB connected, with every thread a conversation`);
  const after: Memory[] = [];
  for (let part = 0; part < size.parts; part += 1) {
    await world.traffic(part);
    const now = await sample(host, (part + 1) * size.questions);
    after.push(now);
    note(
      `part ${part + 1}: ${Math.round(now.rss / MB)} MB, ${Math.round(now.heap / MB)} MB of it the program's`,
    );
  }
  return figuresOf(before, after);
};

type Memory = z.infer<typeof memory>;

const sample = async (host: Child, turns: number): Promise<Memory> => {
  host.write(`${turns}\n`);
  return memory.parse(JSON.parse(await host.line()));
};

const figuresOf = (before: Memory, after: readonly Memory[]): readonly Figure[] => {
  const warm = after.slice(WARM - 1);
  const [first = before] = warm;
  const last = warm.at(-1) ?? before;
  const parts = warm.length - 1;
  const hourly = parts === 0 ? 0 : ((last.heap - first.heap) / parts) * after.length;
  return [
    measured("resident memory, connected", "MB", [before.rss / MB]),
    measured(
      "resident memory, under traffic",
      "MB",
      after.map(({ rss }) => rss / MB),
      atMost(800, "p99"),
    ),
    measured(
      "memory in use after collection",
      "MB",
      after.map(({ heap }) => heap / MB),
    ),
    measured("its growth in an hour", "MB", [hourly / MB], atMost(10)),
  ];
};

const guildsOf = ({ guilds }: Size) =>
  Array.from({ length: guilds }, (_, at) => ({
    name: `guild${at}`,
    channels: [{ name: `channel${at}` }],
    members: [{ name: `ada${at}` }, { name: `bob${at}` }],
  }));

/** Some at once, so that the fake is never without work. */
const each = async <T>(
  items: readonly T[],
  deed: (item: T, index: number) => Promise<void>,
): Promise<void> => {
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) await deed(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

/** The people of the fake. */
const createWorld = (url: string, size: Size) => {
  /** The threads of each part's questions. */
  const answered: (readonly { readonly user: string; readonly thread: string }[])[] = [];
  const threads: { readonly guild: number; readonly root: string }[] = [];

  const call = async (path: string, body?: object): Promise<unknown> => {
    const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${url}/__fake/${path}`, request);
    const answer: unknown = await response.json();
    if (response.status !== 200) throw new Error(JSON.stringify(answer));
    return answer;
  };
  const act = (user: string, deed: object): Promise<unknown> => call("as", { user, deed });

  const idOf = async (name: string): Promise<string> =>
    z.object({ id: z.string() }).parse(await call(`user?name=${name}`)).id;

  return {
    open: async () => {
      const opened: { readonly place: string; readonly root: string; readonly people: readonly string[] }[] =
        [];
      await each(Array.from({ length: size.guilds }), async (_, guild) => {
        const people = await Promise.all([idOf(`ada${guild}`), idOf(`bob${guild}`)]);
        const { channel } = address.parse(
          await act(`ada${guild}`, { kind: "say", channel: `channel${guild}`, text: "Hello." }),
        );
        for (let no = 0; no < size.threadsEach; no += 1) {
          const deed = { kind: "openThread", channel, name: `thread ${no}` };
          const { thread } = z.object({ thread: z.string() }).parse(await act(`ada${guild}`, deed));
          threads.push({ guild, root: thread });
          opened.push({ place: channel, root: thread, people });
        }
      });
      return opened;
    },
    traffic: async (part: number): Promise<void> => {
      await each(
        answered[part - 2] ?? [],
        async ({ user, thread }) => void (await act(user, { kind: "archive", thread })),
      );
      const fresh: { readonly user: string; readonly thread: string }[] = [];
      await each(Array.from({ length: size.messages }), async (_, no) => {
        const thread = threads[(part * size.messages + no) % threads.length];
        if (thread === undefined) return;
        const who = no % 2 === 0 ? "ada" : "bob";
        const text = `Message ${no} of part ${part}: ${"it went like this, and then like that. ".repeat(5)}`;
        await act(`${who}${thread.guild}`, { kind: "say", channel: thread.root, text });
      });
      for (let no = 0; no < size.questions; no += 1) {
        const guild = (part * size.questions + no) % size.guilds;
        const deed = { kind: "say", channel: `channel${guild}`, text: "@parley why does it not start?" };
        const user = `ada${guild}`;
        fresh.push({ user, thread: address.parse(await act(user, deed)).id });
        await setTimeout(BETWEEN);
      }
      answered.push(fresh);
    },
  };
};
