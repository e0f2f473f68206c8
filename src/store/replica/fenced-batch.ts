/** Batches that are sent to the database that hosts share before they end in the replica. */

import { connect, soften } from "../connect.ts";
import { silentLog } from "../silent-log.ts";
import { tablesOf } from "../tables.ts";
import { createBatches, type Refusal } from "../write/batch.ts";
import type { Job, Written } from "../write/write-job.ts";
import { createCapture } from "./capture.ts";
import { createLink, type FleetSettings } from "./link.ts";
import { createPush, type Standing } from "./push.ts";
import { createNote, readStanding } from "./replica-file.ts";

export interface Fenced {
  batch(jobs: readonly Job[]): Promise<readonly Written[]>;
  close(): Promise<void>;
}

/** `lose` hears once that nothing can be written any more. Throws where the file cannot be opened. */
export const openFenced = (
  name: string,
  settings: FleetSettings,
  begin: Standing,
  lose: (why: string) => void,
): Fenced => {
  const connected = connect(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  if (readStanding(db)?.seq !== begin.seq) throw new Error(`${name} is not the replica that was brought up`);
  soften(db);
  const batches = createBatches(db, tablesOf(db, silentLog), createCapture(db));
  const link = createLink(settings);
  const push = createPush(link);
  const note = createNote(db);
  let standing = begin;
  let lost: string | null = null;

  const send = async (changes: Parameters<typeof push>[0]): Promise<Refusal | null> => {
    if (lost !== null) return gone(lost);
    const pushed = await push(changes, standing);
    if (pushed.kind === "accepted") {
      standing = { ...standing, seq: pushed.seq };
      note(standing);
      return null;
    }
    if (pushed.kind === "refused") return { failure: pushed.failure, isForAll: !pushed.isValue };
    lost = pushed.why;
    lose(lost);
    return gone(lost);
  };

  return {
    batch: async (jobs) => {
      const steps = batches(jobs);
      let step = steps.next();
      while (step.done !== true) step = steps.next(await send(step.value));
      return step.value;
    },
    close: async () => {
      db.close();
      await link.close();
    },
  };
};

const gone = (why: string): Refusal => ({
  failure: { kind: "failed", code: "io", message: `This host may not write any more: ${why}.` },
  isForAll: true,
});
