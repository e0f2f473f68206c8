/**
 * What a committed step costs at the beginning and at the end of a long conversation.
 *
 * Measured is the product's own path from an event to its commit (conversation.ts: transition, view, one SQLite
 * transaction on a real file), with nothing performed and nobody listening. Two databases, one young and one with
 * 1,000, 10,000 and 100,000 steps behind it, take the same turns alternately in one run, so that whatever else the machine does falls
 * on both; the ratio is formed sample by sample, each five turns. `synchronous = FULL` waits for the disk, which costs the same at any
 * length and would hide a growing rest: so the same again with `OFF`, counting processor time only; and once more
 * with both conversations in one database, which tells the conversation's length from the database's. The long turn
 * holds its 10,000 steps in one turn of rounds of 100 calls, for a cost that grows with the turn.
 */

import { join } from "node:path";
import type { Store } from "../../src/ports/store.ts";
import { connectDatabase } from "../../src/store/base/connect.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { portsOf } from "../../src/store/sqlite.ts";
import type { Bench } from "./bench.ts";
import { atMostOf, type Figure, measured } from "./figure.ts";
import { answer, beginTalk, ran, say, type Talk, TURN, turn } from "./talk.ts";
import { temporary } from "./temporary.ts";
import { writeHere } from "../store/in-memory.ts";
import { TABLES } from "../store/tables.ts";

type Sync = "FULL" | "OFF";

export const stepBench: Bench = {
  name: "step",
  what: "a committed step late in a conversation beside one at step 10",
  run: async (scale, note) => {
    const size = scale === "tiny" ? { lengths: [200], pairs: 3 } : { lengths: [10_000], pairs: 60 };
    const lengths = scale === "tiny" ? [100, 200] : [1_000, 10_000, 100_000];
    const figures: Figure[] = [];
    note("turns of four steps, synchronous = FULL");
    figures.push(...(await compare("FULL", turns, size)));
    note("the same, synchronous = OFF");
    figures.push(...(await compare("OFF", turns, { ...size, lengths })));
    note("both conversations in one database, synchronous = OFF");
    figures.push(...(await compare("OFF", turns, { ...size, shared: true })));
    note("one long turn, synchronous = OFF");
    figures.push(...(await compare("OFF", rounds, { ...size, pairs: Math.min(size.pairs, 40) })));
    return figures;
  },
};

/** A kind of conversation: what is told of it, how it goes on by one unit, and how much is measured at a time. */
interface Course {
  readonly name: string;
  /** Steps of one unit. */
  readonly steps: number;
  /** Units of one sample. */
  readonly units: number;
  readonly prepare: (talk: Talk) => Promise<void>;
  readonly goOn: (talk: Talk) => Promise<void>;
}

const compare = async (
  sync: Sync,
  course: Course,
  {
    lengths,
    pairs,
    shared = false,
  }: { readonly lengths: readonly number[]; readonly pairs: number; readonly shared?: boolean },
): Promise<readonly Figure[]> => {
  await using place = await temporary();
  const old = openDatabase(join(place.path, "old.sqlite"));
  const young = shared ? old : openDatabase(join(place.path, "young.sqlite"));
  const aged = await prepared(old.store, course);
  const figures: Figure[] = [];
  for (const long of lengths) {
    old.sync("OFF");
    while (aged.live.state().seq < long) await course.goOn(aged);
    old.sync(sync);
    young.sync(sync);
    await timed(sync, course, await prepared(young.store, course));
    await timed(sync, course, aged);
    const early: number[] = [];
    const late: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const fresh = await prepared(young.store, course);
      const lateFirst = pair % 2 === 1 ? await timed(sync, course, aged) : null;
      early.push(await timed(sync, course, fresh));
      late.push(lateFirst ?? (await timed(sync, course, aged)));
    }
    const what = `${course.name}${shared ? ", one database" : ""}, ${sync}`;
    figures.push(
      measured(`${what}: step ${long.toLocaleString("en-US")}`, "ms", late, atMostOf("step 10", 1.2), {
        "step 10": early,
      }),
    );
  }
  await old.store.close();
  if (!shared) await young.store.close();
  return figures;
};

const openDatabase = (name: string): { readonly store: Store; readonly sync: (to: Sync) => void } => {
  const connected = connectDatabase(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  return {
    store: portsOf(name, db, TABLES, silentLog, writeHere, () => {}).store,
    sync: (to) => void db.pragma(`synchronous = ${to}`),
  };
};

const prepared = async (store: Store, course: Course): Promise<Talk> => {
  const talk = await beginTalk(store);
  await course.prepare(talk);
  return talk;
};

/** Milliseconds a step: of the clock where the disk is waited for, else of the processor, which others cannot slow. */
const timed = async (sync: Sync, course: Course, talk: Talk): Promise<number> => {
  const before = talk.live.state().seq;
  const used = process.cpuUsage();
  const from = performance.now();
  for (let unit = 0; unit < course.units; unit++) await course.goOn(talk);
  const waited = performance.now() - from;
  const { user, system } = process.cpuUsage(used);
  const steps = course.steps * course.units;
  if (talk.live.state().seq !== before + steps) throw new Error("not every event was accepted");
  return (sync === "FULL" ? waited : (user + system) / 1_000) / steps;
};

const turns: Course = {
  name: "turns",
  steps: TURN,
  units: 5,
  /* Two turns and a half: what follows is step 10 and behind. */
  prepare: async (talk) => {
    await turns.goOn(talk);
    await turns.goOn(talk);
  },
  goOn: turn,
};

/** So many that 10,000 steps stay below the turn's limit of 200 rounds. */
const CALLS = 100;

const rounds: Course = {
  name: "one long turn",
  steps: CALLS + 1,
  units: 1,
  prepare: ({ take }) => take(say()),
  goOn: async ({ live, take }) => {
    await take(answer(live, CALLS));
    for (let n = 0; n < CALLS; n++) await take(ran(live));
  },
};
