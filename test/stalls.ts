/**
 * Whether the event loop was held: processor time of this thread between two of its turns, so that a busy machine adds little.
 * A slow machine is allowed more: the test measures how long one document of a known size takes before and after the work, and the
 * longer time counts. Collections of the worker's garbage, which earlier tests left, are no part of the work. Work that stalls is
 * done again, up to `TRIES` times in all: a reader that holds the loop does so each time, another program's burst does not.
 */

import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

/** No input may hold the loop longer: the law of every reader of foreign text. Microseconds. */
const LAW = 100_000;
/** An idle machine reads the document below as often within the law. */
const TIMES = 12;

const TRIES = 3;

/** Turns of the loop that took longer than the law allows while `work` was done: the fewest of its tries. */
export const stallsWhile = async (work: () => Promise<unknown>): Promise<number> => {
  let fewest = await stallsOnce(work);
  for (let tries = 1; tries < TRIES && fewest > 0; tries += 1) {
    fewest = Math.min(fewest, await stallsOnce(work));
  }
  return fewest;
};

const stallsOnce = async (work: () => Promise<unknown>): Promise<number> => {
  const before = reference();
  const turns: number[] = [];
  const pauses: number[] = [];
  const note = (seen: readonly PerformanceEntry[]): void =>
    void pauses.push(...seen.map(({ duration }) => duration * 1_000));
  const collections = new PerformanceObserver((seen) => note(seen.getEntries()));
  collections.observe({ entryTypes: ["gc"] });
  let isDone = false;
  let from = used();
  const done = work().finally(() => {
    isDone = true;
  });
  // The turn that settles the work counts, too.
  for (let isLast = false; !isLast; ) {
    isLast = isDone;
    await setImmediate();
    turns.push(used() - from);
    from = used();
  }
  await done;
  // Node tells of a collection some turns later.
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  note(collections.takeRecords());
  collections.disconnect();
  const law = Math.max(LAW, TIMES * Math.max(before, reference())) + sumOf(pauses);
  return turns.filter((turn) => turn > law).length;
};

const DOCUMENT = Buffer.from(
  JSON.stringify({ text: "x".repeat(2 ** 20), list: Array.from({ length: 20_000 }, (_, no) => ({ no })) }),
);

/** The second slowest of five readings: another program may share the processor's core, and a collection may fall into one. */
const reference = (): number => {
  const taken = Array.from({ length: 5 }, () => {
    const from = used();
    JSON.parse(DOCUMENT.toString("utf8"));
    return used() - from;
  });
  return taken.toSorted((a, b) => a - b)[3] ?? 0;
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};
