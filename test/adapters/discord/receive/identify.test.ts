import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createIdentifyPace, type SessionStarts } from "../../../../adapters/discord/receive/identify.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";

const never = new AbortController().signal;

const DAY = 86_400_000;

const many = { remaining: 1_000, total: 1_000, resetAfter: DAY, maxConcurrency: 1 };

/** Times of sessions that begin one after another, until the day is over or `most` have begun. */
const startsOf = async (limit: SessionStarts, most: number): Promise<readonly number[]> => {
  const clock = createVirtualClock();
  const pace = createIdentifyPace(clock, limit);
  const first = clock.now();
  const started: number[] = [];
  const end = new AbortController();
  const begin = async (): Promise<void> => {
    while (started.length < most) {
      await pace.waitForIdentify(0, end.signal);
      started.push(clock.now() - first);
    }
  };
  const running = begin().catch(() => undefined);
  while (clock.now() - first < DAY && started.length < most) {
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
    clock.advance(5_000);
  }
  end.abort();
  await running;
  return started;
};

it("40.B with hundreds left a shard that loses each session starts a new one every five seconds", async () => {
  const started = await startsOf(many, 12);
  expect(started.at(-1)).toBeLessThanOrEqual(12 * 10_000);
});

it("40.B a shard that is turned away all day never uses up what Discord has left", async () => {
  for (const remaining of [1_000, 200, 50, 5]) {
    const started = await startsOf({ ...many, remaining }, 2_000);
    expect(started.length).toBeGreaterThan(remaining / 2);
    expect(started.length).toBeLessThanOrEqual(remaining);
  }
});

it("40.B waits that were given up before a session began do not slow down the next", async () => {
  const clock = createVirtualClock();
  const pace = createIdentifyPace(clock, many);
  await pace.waitForIdentify(0, never);
  for (let tries = 0; tries < 20; tries += 1) {
    const given = new AbortController();
    const waiting = pace.waitForIdentify(0, given.signal);
    given.abort();
    await expect(waiting).rejects.toThrow("closed");
  }
  const next = pace.waitForIdentify(0, never);
  clock.advance(5_000);
  await expect(next).resolves.toBeUndefined();
});

it("a first session starts at once; one after a long and good one too", async () => {
  const clock = createVirtualClock();
  const pace = createIdentifyPace(clock, many);
  await pace.waitForIdentify(0, never);
  clock.advance(120_000);
  await pace.waitForIdentify(0, never);
  expect(clock.now()).toBe(createVirtualClock().now() + 120_000);
});

it("in any five seconds no more shards start than the gateway allows", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 16 }),
      fc.integer({ min: 1, max: 40 }),
      async (concurrency, shards) => {
        const clock = createVirtualClock();
        const pace = createIdentifyPace(clock, { ...many, maxConcurrency: concurrency });
        const at: number[] = [];
        const all = Array.from({ length: shards }, (_, shard) =>
          pace.waitForIdentify(shard, never).then(() => at.push(clock.now())),
        );
        for (let second = 0; second < 5 * shards && at.length < shards; second += 1) {
          for (let turn = 0; turn < 2 * shards; turn += 1) await Promise.resolve();
          clock.advance(1_000);
        }
        await Promise.all(all);
        const windows = Map.groupBy(at, (time) => Math.floor((time - (at[0] ?? 0)) / 5_000));
        expect(Math.max(...[...windows.values()].map((one) => one.length))).toBeLessThanOrEqual(concurrency);
      },
    ),
    { numRuns: 30 },
  );
});

it("a wait that is given up rejects", async () => {
  const pace = createIdentifyPace(createVirtualClock(), many);
  await pace.waitForIdentify(0, never);
  const given = new AbortController();
  const waiting = pace.waitForIdentify(0, given.signal);
  given.abort();
  await expect(waiting).rejects.toThrow("closed");
});
