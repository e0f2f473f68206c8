/**
 * Whether the event loop was held: processor time of this thread between two of its turns, so that a busy machine adds nothing.
 * A slow machine is allowed more, by what it needs for one document of a known size. A collection of the worker's garbage, which
 * earlier tests left, is no part of the work.
 */

import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

/** No input may hold the loop longer: the law of every reader of foreign text. Microseconds. */
const LAW = 100_000;
/** An idle machine reads the document below as often within the law. */
const TIMES = 12;

/** Turns of the loop that took longer than the law allows while `work` was done. */
export const stallsWhile = async (work: () => Promise<unknown>): Promise<number> => {
  const before = reference();
  const turns: number[] = [];
  const pauses: number[] = [0];
  const collections = new PerformanceObserver((seen) => {
    pauses.push(...seen.getEntries().map(({ duration }) => duration * 1_000));
  });
  collections.observe({ entryTypes: ["gc"] });
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  let from = used();
  // The turn that settles the work counts, too.
  for (let isLast = false; !isLast; ) {
    isLast = isDone;
    await setImmediate();
    turns.push(used() - from);
    from = used();
  }
  await done;
  await setImmediate();
  collections.disconnect();
  const law = Math.max(LAW, TIMES * Math.max(before, reference())) + Math.max(...pauses);
  return turns.filter((turn) => turn > law).length;
};

const DOCUMENT = Buffer.from(
  JSON.stringify({ text: "x".repeat(2 ** 20), list: Array.from({ length: 20_000 }, (_, no) => ({ no })) }),
);

/** The median of five readings. */
const reference = (): number => {
  const taken = Array.from({ length: 5 }, () => {
    const from = used();
    JSON.parse(DOCUMENT.toString("utf8"));
    return used() - from;
  });
  return taken.toSorted((a, b) => a - b)[2] ?? 0;
};

const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};
