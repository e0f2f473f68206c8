/** Writes wait together, and nobody is told before the disk has what they are told of. */

import fc from "fast-check";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createGroup, type Writer } from "../../../src/store/write/group.ts";
import type { WriteJob } from "../../../src/store/write/write-job.ts";
import { openAt, openWithConnection, temporary } from "../kit.ts";
import { beginIn, commitOf, takeIn } from "../plain.ts";

const job = (n: number): WriteJob => ({ port: "store", name: "setTitle", given: ["c-1", String(n), null] });

/** A writer whose batches end when the test says so. */
const createSlowWriter = () => {
  const journal: string[] = [];
  const ends: (() => void)[] = [];
  const writer: Writer = {
    run: async (jobs) => {
      const titles = jobs.map((one) => (one.name === "setTitle" ? one.given[1] : ""));
      journal.push(`begin ${titles.join()}`);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
      });
      journal.push(`end ${titles.join()}`);
      return jobs.map(() => ({ kind: "done" }));
    },
    close: async () => void journal.push("closed"),
  };
  return { writer, journal, end: () => ends.shift()?.(), flying: () => ends.length };
};

describe("a group", () => {
  it("Q1 Q2 hands over in order, two batches ahead at most, and answers after the batch", async () => {
    const deeds = fc.array(fc.constantFrom("write", "turn", "end"), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(deeds, async (all) => {
        const { writer, journal, end, flying } = createSlowWriter();
        const group = createGroup(writer);
        let count = 0;
        for (const deed of all) {
          if (deed === "turn") await setImmediate();
          else if (deed === "end") end();
          else {
            const n = count++;
            void group.write(job(n)).then(() => journal.push(`told ${n}`));
          }
          expect(flying()).toBeLessThanOrEqual(2);
        }
        const closing = group.close(() => journal.push("written"));
        while (!journal.includes("closed")) {
          end();
          await setImmediate();
        }
        await closing;
        expect(numbers(journal, "begin")).toEqual(upTo(count));
        expect(numbers(journal, "told")).toEqual(upTo(count));
        for (const n of upTo(count)) {
          const ended = journal.findIndex(
            (line) => line.startsWith("end") && numbers([line], "end").includes(n),
          );
          expect(journal.indexOf(`told ${n}`)).toBeGreaterThan(ended);
        }
        expect(journal.slice(-2)).toEqual(["written", "closed"]);
      }),
      { numRuns: 100 },
    );
  });

  it("writes that come in one turn of the event loop, or while the disk is busy, go together", async () => {
    const { writer, journal, end } = createSlowWriter();
    const group = createGroup(writer);
    const first = Promise.all([0, 1, 2].map((n) => group.write(job(n))));
    await setImmediate();
    const second = Promise.all([3, 4].map((n) => group.write(job(n))));
    await setImmediate();
    const third = Promise.all([5, 6].map((n) => group.write(job(n))));
    await setImmediate();
    const fourth = group.write(job(7));
    end();
    await first;
    await setImmediate();
    end();
    end();
    await Promise.all([second, third, fourth]);
    expect(journal.filter((line) => line.startsWith("begin"))).toEqual([
      "begin 0,1,2",
      "begin 3,4",
      "begin 5,6,7",
    ]);
  });

  it("Q3 refuses what comes after close, and closing again waits for the same end", async () => {
    const { writer, journal, end } = createSlowWriter();
    const group = createGroup(writer);
    const before = group.write(job(0));
    const closing = [group.close(() => undefined), group.close(() => undefined)];
    expect(await group.write(job(1))).toMatchObject({ kind: "failed", code: "closing" });
    await setImmediate();
    end();
    expect(await before).toEqual({ kind: "done" });
    await Promise.all(closing);
    expect(journal).toEqual(["begin 0", "end 0", "closed"]);
  });
});

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

const numbers = (journal: readonly string[], what: string): readonly number[] =>
  journal
    .filter((line) => line.startsWith(`${what} `))
    .flatMap((line) => (line.split(" ")[1] ?? "").split(",").map(Number));

describe("the thread that writes", () => {
  it("leaves the event loop alone while it waits for the file, and writes when it may", async () => {
    const directory = join(temporary(), "data");
    const store = openAt(directory);
    const state = await beginIn(store);
    const other = openWithConnection(join(directory, "parley.sqlite"));
    other.db.exec("BEGIN IMMEDIATE");
    let stored = false;
    const commit = takeIn(store, commitOf(state)).then(() => (stored = true));
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(stored).toBe(false);
    expect(store.load("c-1")?.state.seq).toBe(0);
    other.db.exec("COMMIT");
    await commit;
    expect(store.load("c-1")?.state.seq).toBe(1);
  });

  it("takes the steps of many conversations at once", async () => {
    const directory = join(temporary(), "data");
    const store = openAt(directory);
    const commits = Array.from({ length: 150 }, async (_, n) => {
      const state = await beginIn(store, `c-${n}`);
      return takeIn(store, commitOf(state));
    });
    expect((await Promise.all(commits)).every(({ seq }) => seq === 1)).toBe(true);
    expect(store.list(200, null)).toHaveLength(150);
  });

  it("has stored what was handed over when close settles", async () => {
    const directory = join(temporary(), "data");
    const store = openAt(directory);
    const state = await beginIn(store);
    const handed = store.commit(commitOf(state));
    await store.close();
    expect(await handed).toMatchObject({ kind: "committed" });
    expect(await store.commit(commitOf({ ...state, seq: 1 }))).toMatchObject({ code: "closing" });
    expect(openAt(directory).load("c-1")?.state.seq).toBe(1);
  });

  it("frees memory when nothing was written for a while, and takes the next write", async () => {
    const begun: Worker[] = [];
    process.on("worker", (thread) => begun.push(thread));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      process.removeAllListeners("worker");
      vi.useRealTimers();
    });
    const store = openAt(join(temporary(), "data"));
    expect(begun).toHaveLength(0);
    const state = await beginIn(store);
    const [thread] = begun;
    const used = async (): Promise<number> => (await thread?.getHeapStatistics())?.used_heap_size ?? 0;
    vi.advanceTimersByTime(29_999);
    const taken = await takeIn(store, commitOf(state));
    vi.advanceTimersByTime(29_999);
    const before = await used();
    vi.advanceTimersByTime(1);
    expect((await takeIn(store, commitOf(taken))).seq).toBe(2);
    expect(await used()).toBeLessThan(before);
    expect(begun).toEqual([thread]);
  });
});
