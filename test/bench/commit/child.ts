/**
 * Commits as many conversations do that all take steps at once, then the same rows in the same groups with
 * better-sqlite3 alone, in turns. Arguments: directory, conversations, rounds. Prints one line of JSON.
 *
 * Both databases have the product's own settings (WAL, synchronous = FULL); the raw one is written by this thread.
 */

import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { Store } from "../../../src/ports/store.ts";
import { connectDatabase } from "../../../src/store/base/connect.ts";
import { tablesOf } from "../../../src/store/tables/all-tables.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { openStore } from "../../store/open-store.ts";
import { TABLES } from "../../store/tables.ts";
import { type StartWriter, writeInThread } from "../../../src/store/write/writer.ts";
import { begin } from "../../store/plain.ts";
import { createRawWriter, createRowMaker, type Rows } from "./raw-rows.ts";
import { beginTalk, type Talk, TURN, turn } from "../talk.ts";

/** Turns of each conversation in one round. */
const TURNS = 2;
const [directory = "", count = "1", rounds = "1"] = process.argv.slice(2);

let sizes: number[] = [];
let rows: Rows[] = [];

const counted: StartWriter = (...given) => {
  const writer = writeInThread(...given);
  return {
    ...writer,
    run: (jobs) => {
      sizes.push(jobs.length);
      return writer.run(jobs);
    },
  };
};

const opened = openStore(join(directory, "product"), silentLog, counted);
if (opened.kind === "failed") throw new Error(opened.message);
const rowsOf = createRowMaker();
const recorded: Store = {
  ...opened.store,
  commit: async (commit) => {
    const committed = await opened.store.commit(commit);
    if (committed.kind === "failed") throw new Error(committed.message);
    if (isKeeping) kept.push(() => rowsOf(commit, committed.posts));
    return committed;
  },
};
/** Made into rows when nothing is measured. */
let kept: (() => Rows)[] = [];
/** What is kept is garbage of the benchmark's own: rounds in which the event loop is measured keep nothing. */
let isKeeping = true;

const connected = connectDatabase(join(directory, "raw.sqlite"));
if (connected.kind === "refused") throw new Error(connected.message);
const raw = createRawWriter(connected.db);
const { store: beside } = tablesOf(connected.db, silentLog, TABLES);

const talks = await Promise.all(Array.from({ length: Number(count) }, () => beginTalk(recorded)));
for (const { live } of talks) begin(beside, live.state().id);

const delay = monitorEventLoopDelay({ resolution: 1 });
const productRound = async (keeping: boolean): Promise<Product> => {
  isKeeping = keeping;
  sizes = [];
  kept = [];
  delay.reset();
  delay.enable();
  const from = performance.now();
  const begun: Promise<void>[] = [];
  for (const talk of talks) {
    begun.push(take(talk));
    // What people send comes as a task of the event loop each.
    await setImmediate();
  }
  await Promise.all(begun);
  const ms = performance.now() - from;
  delay.disable();
  rows = kept.map((make) => make());
  return { ms, p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 };
};

const take = async (talk: Talk): Promise<void> => {
  for (let n = 0; n < TURNS; n += 1) await turn(talk);
};

interface Product {
  readonly ms: number;
  /** Of the event loop's delay, in ms. */
  readonly p99: number;
  readonly longest: number;
}

const rawRound = (): number => {
  const groups: (readonly Rows[])[] = [];
  for (const size of sizes) groups.push(rows.splice(0, size));
  const from = performance.now();
  for (const group of groups) raw(group);
  return performance.now() - from;
};

await productRound(true);
rawRound();
const steps = talks.length * TURNS * TURN;
const measured = [];
for (let round = 0; round < Number(rounds); round += 1) {
  const { ms } = await productRound(true);
  const group = steps / sizes.length;
  const alone = rawRound();
  const { p99, longest } = await productRound(false);
  measured.push({ ms, p99, longest, group, raw: alone });
}
await opened.store.close();
connected.db.close();
console.log(JSON.stringify({ steps, rounds: measured }));
