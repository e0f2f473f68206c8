/**
 * A storm of webhooks, duplicated and shuffled, while the process dies again and again: each event begins one thread or
 * is counted on one, none is lost and none counts twice. The store is the real one; the platform and the bot remember
 * what they were told, as the real ones do across a crash.
 */

import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ThreadRow } from "../../../src/ports/surface.ts";
import type { Watch, WatchEvent, WatchRows } from "../../../src/features/watches/store/watches.ts";
import { createWatcher, type RunningWatcher } from "../../../src/features/watches/watcher.ts";
import { watchEvent } from "../../../src/features/watches/store/schema.ts";
import type { StorePorts } from "../../../src/store/write/grouped.ts";
import { createRepos } from "../../../src/runtime/channels/repos.ts";
import { ofWhole } from "../../sample.ts";
import { testModes } from "../../runtime/modes.ts";
import { english } from "../../../src/i18n/say.ts";
import { openMemory } from "../../store/in-memory.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createWatchRows } from "../../../src/features/watches/store/rows.ts";

const WATCH: Watch = {
  id: "alerts",
  surface: "slack",
  place: "C1",
  source: { kind: "hook", title: null, text: null, key: null },
  mode: null,
  instructions: null,
  perHour: 1_000,
  standing: { kind: "on" },
  failures: 0,
  by: "slack:U1",
  at: 1,
};

/** What outlives every process: the database, the channel, the conversations. */
const createOutside = async () => {
  const opened = openMemory();
  const rows = createWatchRows(opened.rows, silentLog);
  await rows.putWatch(WATCH);
  const repo = { kind: "url", location: "https://github.com/acme/api.git" } as const;
  await opened.chat.bind("slack", "C1", { repo, by: "slack:U1", at: 1 });
  return {
    opened,
    rows,
    /** Messages by their key. */
    channel: new Map<string, { readonly message: string; text: string }>(),
    /** Conversations by the message that they hang on. */
    threads: new Map<string, ConversationId>(),
    said: new Map<string, ConversationId>(),
    random: mulberry(ofWhole(1, 2)),
  };
};

type Outside = Awaited<ReturnType<typeof createOutside>>;

/** A process that dies at its `calls`th call outwards: that one may have come through, and nothing after it. */
const createProcess = (outside: Outside, calls: number) => {
  let left = calls;
  const died = Promise.withResolvers<void>();
  const step = async <T>(does: () => T | Promise<T>): Promise<T> => {
    left -= 1;
    if (left < 0) return new Promise<T>(() => undefined);
    const answer = left === 0 && outside.random() < 0.5 ? null : await does();
    if (left > 0 && answer !== null) return answer;
    left = -1;
    died.resolve();
    return new Promise<T>(() => undefined);
  };
  const { opened, rows, channel, threads, said } = outside;
  const watcher = createWatcher({
    rows: mortal(rows, step),
    store: mortal(opened.chat, step),
    repos: createRepos(["acme/api"]),
    modes: testModes.all,
    models: { all: ["test"], knows: () => true },
    clock: systemClock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    money: () => ({ most: null, spent: 0, renewsAt: 0 }),
    parse: (body) => watchEvent.safeParse(body).data ?? null,
    alert: () => undefined,
    ledger: { thread: () => null, find: (_, place, root) => rowOf(place, root, threads.get(root)) },
    surfaces: () => [
      {
        name: "slack",
        off: null,
        standing: () => "on",
        say: () => english,
        tell: (_, { id, text, edits }) =>
          step(() => {
            const key = edits ?? id;
            const before = [...channel.values()].find(({ message }) => message === key) ?? channel.get(key);
            if (before === undefined) channel.set(key, { message: `M${channel.size}`, text });
            else if (edits !== undefined) before.text = text;
            return { kind: "put", message: (before ?? channel.get(key))?.message ?? "" };
          }),
      },
    ],
    bot: {
      create: ({ thread }) =>
        step(() => {
          const root = thread?.root ?? "";
          if (threads.has(root)) return { kind: "failed", code: "conflict", message: "there is one" };
          const id: ConversationId = `c-${threads.size}`;
          threads.set(root, id);
          return created(id);
        }),
      say: ({ id, conversation }) =>
        step(() => {
          if (said.has(id)) return { kind: "duplicate" };
          said.set(id, conversation);
          return { kind: "accepted" };
        }),
      read: () => Promise.resolve(null),
      act: () => step(() => ({ kind: "done" })),
    },
  });
  watcher.start();
  return { watcher, died: died.promise };
};

describe("a storm", () => {
  it("of webhooks, duplicated and shuffled, with the process killed ten times, loses and doubles nothing", async () => {
    const outside = await createOutside();
    const events = ofWhole(5_000, 400);
    const matters = ofWhole(300, 40);
    const unsent = shuffled(
      Array.from({ length: events }, (_, no) => eventOf(no, matters)).flatMap((one) => [one, one]),
      outside.random,
    );
    let acknowledged = new Set<string>();
    for (let kills = 0; kills <= 10; kills += 1) {
      const isLast = kills === 10;
      const { watcher, died } = createProcess(
        outside,
        isLast ? Infinity : 20 + Math.floor(outside.random() * 200),
      );
      const sending = send(watcher, unsent, acknowledged);
      acknowledged = isLast ? await sending : await Promise.race([died.then(() => acknowledged), sending]);
      if (isLast) {
        await expect.poll(() => outside.opened.chat.unhandled("watch").length).toBe(0);
        await expect.poll(() => outside.rows.untold().length).toBe(0);
        await watcher.close();
      }
    }
    const counted = Array.from({ length: matters }, (_, no) => outside.rows.newest("alerts", `matter ${no}`));
    expect(counted.reduce((sum, thread) => sum + (thread?.count ?? 0), 0)).toBe(events);
    expect(counted.every((thread) => thread !== null)).toBe(true);
    expect([outside.threads.size, outside.said.size, outside.channel.size]).toEqual([
      matters,
      matters,
      matters,
    ]);
    const shown = [...outside.channel.values()].map(({ text }) =>
      Number(/arrived (\d+) times/.exec(text)?.[1] ?? 1),
    );
    expect(shown.reduce((sum, one) => sum + one, 0)).toBe(events);
  });
});

/** As a sender does: again, until it is acknowledged. */
const send = async (
  watcher: RunningWatcher,
  unsent: readonly WatchEvent[],
  acknowledged: Set<string>,
): Promise<Set<string>> => {
  const left = unsent.filter(({ delivery }) => !acknowledged.has(delivery));
  for (let from = 0; from < left.length; from += 50)
    await Promise.all(
      left.slice(from, from + 50).map(async (event) => {
        const taken = await watcher.take(event);
        if (taken.kind === "stored" || taken.kind === "known") acknowledged.add(event.delivery);
      }),
    );
  return acknowledged;
};

const eventOf = (no: number, matters: number): WatchEvent => ({
  watch: "alerts",
  delivery: `delivery ${no}`,
  fingerprint: `matter ${no % matters}`,
  title: `Matter ${no % matters}`,
  text: "",
  link: null,
  at: no,
});

type Step = <T>(does: () => T | Promise<T>) => Promise<T>;

/** What writes goes through `step`; what reads is read. */
const mortal = <P extends WatchRows | StorePorts["chat"]>(port: P, step: Step): P =>
  new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || !WRITES.has(String(name))) return member;
      return (...given: unknown[]) => step(() => Reflect.apply(member, target, given) as unknown);
    },
  });

const WRITES: ReadonlySet<string> = new Set(["arrive", "settle", "begin", "join", "told", "putWatch"]);

const rowOf = (place: string, root: string, conversation: ConversationId | undefined): ThreadRow | null =>
  conversation === undefined ? null : { surface: "slack", place, root, conversation, delivered: 0 };

const created = (id: ConversationId) =>
  ({ kind: "created", overview: { conversation: { id }, state: { mode: "general" } } }) as never;

const shuffled = <T>(all: readonly T[], random: () => number): readonly T[] =>
  all
    .map((one) => [random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);

/** The same numbers for the same seed. */
const mulberry = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
