/** The counter of stalls itself: it sees work that holds the event loop, and not the same work in pieces. */

import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { stallsWhile } from "./stalls.ts";

/** Seconds of processor time in all, and pieces of it. */
const SECONDS = 2;
const PIECES = 200;

const spend = (seconds: number): void => {
  const before = process.threadCpuUsage();
  for (let spent = 0; spent < seconds * 1_000_000; ) {
    const { user, system } = process.threadCpuUsage(before);
    spent = user + system;
  }
};

it.each([
  ["at one go", 1, 1],
  ["in pieces", PIECES, 0],
])("40.A6 work that is done %s counts as %i turns, of which %i stall", async (_, pieces, stalls) => {
  const work = async (): Promise<void> => {
    for (let piece = 0; piece < pieces; piece += 1) {
      spend(SECONDS / pieces);
      await setImmediate();
    }
  };
  expect(await stallsWhile(work)).toBe(stalls);
});
