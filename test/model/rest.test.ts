/** Reads of a stream, and how long they rest while nobody sees newer text. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { createReadingRest } from "../../src/model/rest.ts";
import { createManualClock } from "../runtime/world.ts";

const begin = (unseen: () => number) => {
  const clock = createManualClock();
  const stopped = new AbortController();
  const rest = createReadingRest(clock, stopped.signal, unseen);
  clock.advance(5);
  return { clock, stopped, rest };
};

/** Whether the rest has ended. */
const endOf = (rest: Promise<void> | null) => {
  let isOver = rest === null;
  const watch = async (): Promise<void> => {
    await rest;
    isOver = true;
  };
  void watch();
  return async (): Promise<boolean> => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return isOver;
  };
};

it("never rests past the time at which people see newer text, nor longer than a tenth of a second", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(2_000), async (unseen) => {
      const { rest, clock } = begin(() => unseen);
      const isOver = endOf(rest());
      clock.advance(Math.max(0, Math.min(100, unseen - 25)));
      expect(await isOver()).toBe(true);
    }),
  );
});

it("rests for as long as nobody sees the text", async () => {
  const { rest, clock } = begin(() => 80);
  const isOver = endOf(rest());
  clock.advance(54);
  expect(await isOver()).toBe(false);
  clock.advance(1);
  expect(await isOver()).toBe(true);
});

it("never rests between texts that gathered during a rest", async () => {
  const { rest, clock } = begin(() => 600);
  const first = rest();
  clock.advance(100);
  await first;
  clock.advance(4);
  expect(rest()).toBeNull();
  clock.advance(1);
  expect(rest()).not.toBeNull();
});

it("ends with the request", async () => {
  const { rest, stopped } = begin(() => 600);
  const isOver = endOf(rest());
  expect(await isOver()).toBe(false);
  stopped.abort();
  expect(await isOver()).toBe(true);
  expect(rest()).toBeNull();
});
