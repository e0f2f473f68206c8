/** Hosts that share a real PostgreSQL, taken from the list of features. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { FEATURES } from "../../../src/app/features/list.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { writeShared } from "../../../src/store/write/writer.ts";
import { openStore } from "../../store/open-store.ts";
import { scratch } from "../../scratch.ts";

const cluster = FEATURES.find(({ name }) => name === "cluster");
if (cluster === undefined) console.log("skipped: this copy has no hosts that share a database");

export const hasFleets = cluster !== undefined;

/** A host that has joined the database, as the program joins. */
export const joinFleet = async (address: string, name: string) => {
  const set = cluster?.set({
    PARLEY_DATABASE: address,
    PARLEY_HOST_NAME: name,
    PARLEY_SHARED_STORAGE: "none",
  });
  if (set?.kind !== "set") throw new Error(JSON.stringify(set));
  const data = join(scratch("fleet"), name);
  mkdirSync(data, { recursive: true });
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const joined = await set.feature.join({
    version: "1",
    data,
    amazon: {
      region: undefined,
      accessKeyId: undefined,
      secretAccessKey: undefined,
      sessionToken: undefined,
    },
    log: silentLog,
    console: { address: "127.0.0.1", port: 0 },
    preload: () => Promise.resolve(),
    leaving: leaving.signal,
  });
  if (joined.kind !== "joined") throw new Error(JSON.stringify(joined));
  const opened = openStore(data, silentLog, writeShared(joined.writing), joined.lock);
  if (opened.kind === "failed") throw new Error(opened.message);
  onTestFinished(() => opened.store.close());
  const settled = await joined.settle({ ...opened, clock: systemClock, log: silentLog });
  if (settled.kind === "failed") throw new Error(settled.message);
  // A host that stays watches each request of the process, also in the test files after this one.
  onTestFinished(() => settled.membership.leave());
  return { opened, share: settled.membership.ownership };
};
