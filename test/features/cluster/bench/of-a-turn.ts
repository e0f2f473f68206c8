/**
 * The part that a database which hosts share has in a turn: how often the host waits for it, and how long. A turn is a
 * message, a response with one call, its result and the answer; PostgreSQL lies on the same disk and keeps its promises.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openFleetDatabase } from "../../../../src/features/cluster/database/fleet-database.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { openStore } from "../../../store/open-store.ts";
import { type StartWriter, writeShared } from "../../../../src/store/write/writer.ts";
import { atMost, type Figure, measured } from "../../../bench/figure.ts";
import { begun, openOver, take } from "../../../bench/turns.ts";

export const ofATurn = async (
  database: string,
  directory: string,
  turns: number,
): Promise<readonly Figure[]> => {
  const opened = await openFleetDatabase({ database, name: "one", version: "1" });
  if (opened.kind !== "open") throw new Error(opened.why);
  mkdirSync(directory, { recursive: true });
  const lease = await opened.database.join(
    join(directory, "parley.sqlite"),
    silentLog,
    new AbortController().signal,
  );
  if (lease?.kind !== "lease") throw new Error(lease?.why);

  let waits: number[] = [];
  const start = writeShared(lease.writing);
  const timed: StartWriter = (...given) => {
    const writer = start(...given);
    const run: typeof writer.run = async (jobs) => {
      const from = performance.now();
      const answers = await writer.run(jobs);
      waits.push(performance.now() - from);
      return answers;
    };
    return { ...writer, run };
  };
  const store = openStore(directory, silentLog, Object.assign(timed, { isFenced: true as const }));
  if (store.kind === "failed") throw new Error(store.message);
  const { bot, close } = openOver(store.store);
  const thread = await begun(bot, 3);
  const trips: number[] = [];
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    waits = [];
    await take(bot, thread);
    trips.push(waits.length);
    times.push(waits.reduce((sum, wait) => sum + wait, 0));
  }
  const each = times.map((time, turn) => time / (trips[turn] ?? 1));
  await close();
  await lease.release();
  await opened.database.close();
  return [
    measured("round trips of a turn", "", trips, atMost(12)),
    measured("a group, in the database and the replica", "ms", each),
    measured("all of a turn", "ms", times, atMost(10)),
  ];
};
