import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createIdentifyPace } from "../../../../adapters/discord/listen/identify.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";

const never = new AbortController().signal;

const DAY = 86_400_000;

it("a shard that is turned away again and again starts about a hundred and fifty sessions a day, of a thousand", async () => {
  const clock = createVirtualClock();
  const pace = createIdentifyPace(clock, 1);
  const started: number[] = [];
  const first = clock.now();
  while (clock.now() - first < DAY) {
    const before = started.length;
    const waiting = pace.waitForIdentify(0, never).then(() => started.push(clock.now()));
    await Promise.resolve();
    for (let step = 0; step <= 120 && started.length === before; step += 1) {
      clock.advance(5_000);
      await Promise.resolve();
    }
    await waiting;
  }
  expect(started.length).toBeGreaterThan(100);
  expect(started.length).toBeLessThan(160);
});

it("a first session starts at once; one after a long and good one too", async () => {
  const clock = createVirtualClock();
  const pace = createIdentifyPace(clock, 1);
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
        const pace = createIdentifyPace(clock, concurrency);
        const at: number[] = [];
        const all = Array.from({ length: shards }, (_, shard) =>
          pace.waitForIdentify(shard, never).then(() => at.push(clock.now())),
        );
        for (let second = 0; second < 5 * shards && at.length < shards; second += 1) {
          await Promise.resolve();
          await Promise.resolve();
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
  const pace = createIdentifyPace(createVirtualClock(), 1);
  await pace.waitForIdentify(0, never);
  const given = new AbortController();
  const waiting = pace.waitForIdentify(0, given.signal);
  given.abort();
  await expect(waiting).rejects.toThrow("closed");
});
