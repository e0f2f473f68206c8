/**
 * Writes batches to the shared database before they are committed to the replica, and applies the writes of other hosts to the
 * replica.
 */

import { setImmediate, setTimeout } from "node:timers/promises";
import { connectDatabase, setNumbering } from "../../../store/base/connect.ts";
import { SCHEMA } from "../../../store/base/migrations.ts";
import { silentLog } from "../../../store/base/silent-log.ts";
import { withCoreTables } from "../../../store/tables/all-rows.ts";
import { tablesOf } from "../../../store/tables/all-tables.ts";
import { type ReplicaStale, createBatches, type BatchRefusal } from "../../../store/write/batch.ts";
import type { WriteJob, WriteAnswer } from "../../../store/write/write-job.ts";
import type { WriterNotice } from "../../../ports/membership.ts";
import type { Tables } from "../../../ports/tables.ts";
import { createCapture } from "./capture.ts";
import { createLink, linkFailureOf, type FleetSettings } from "./link.ts";
import { NEW_TERM } from "./membership.ts";
import { withPatience } from "./patience.ts";
import { after, createPush, ENDED, type GroupOrder, type ReplicaPosition, type HostStart } from "./push.ts";
import { aheadOf, connectReplica, createNote, readReplicaPosition, relaxDurability } from "./replica-file.ts";
import { createTail, type TailResult } from "./tail.ts";
import type { CapturedRow } from "./shapes.ts";

export interface PushContext {
  readonly settings: FleetSettings;
  readonly start: HostStart;
  /** Epoch in which the host joined. */
  readonly epoch: number;
  /** Position of the replica when the thread starts. */
  readonly standing: ReplicaPosition;
}

interface Hears {
  say(said: WriterNotice): void;
  queue(work: () => Promise<void>): void;
}

/** Milliseconds between polls, in case no notification arrives. */
const LOOK = 1_000;

/** Milliseconds to wait after a notification, so that notifications in quick succession cause one read. */
const GATHERED = 100;

/**
 * Locks the history for a group that came too late `PATIENT` times, so that no other host can write first. The lock is the last
 * resort: a slow host with the lock delays all others, and a frozen host does so for two seconds.
 */
export const LOCK = `
BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '2s';
SELECT FROM parley.lease FOR UPDATE; SAVEPOINT locked`;

/**
 * Limit of other hosts' groups between two polls. Above the limit, notifications cause no reads, because most rows would change
 * again before the next poll.
 */
const MANY = 8;

/**
 * Distance between two row numbers of one host. Hosts that do not see each other's rows use different numbers, and each host
 * continues after the highest number in its replica. Two hosts whose epochs are this far apart never run at the same time.
 */
const HOSTS = 2 ** 20;

/** Number of times that a group may be too late before the host locks the history. */
const PATIENT = 8;

/**
 * Opens the writing for the writer thread (`WritingModule` of `src/store/write/writer-thread.ts`). Throws if the file cannot be
 * opened.
 */
export const openForWriting = (
  name: string,
  tables: readonly Tables[],
  { settings, start, epoch, standing: begin }: PushContext,
  { say, queue }: Hears,
) => {
  const connected = connectDatabase(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  if (readReplicaPosition(db)?.seq !== begin.seq)
    throw new Error(`${name} is not the replica that was brought up`);
  relaxDurability(db);
  setNumbering(db, (last) => (Math.floor((last ?? 0) / HOSTS) + 1) * HOSTS + (epoch % HOSTS));
  /**
   * Separate connection for the rows of other hosts: their order may break references for a moment, and they must not be
   * captured.
   */
  const replica = connectReplica(name, SCHEMA);
  const batches = createBatches(db, tablesOf(db, silentLog, tables), createCapture(db));
  let standing = begin;
  let lost: string | null = null;
  let isLocked = false;
  /** Groups of other hosts since the last poll. */
  let others = 0;
  let isShared = false;
  /** Number of times that this batch was too late. */
  let misses = 0;
  /** Newest group that a notification named. This host's groups are already applied when the value is compared. */
  let newest = begin.seq;
  let isGathering = false;
  const news = (): void =>
    queue(async () => {
      if (lost === null) await bring();
    });
  const gather = async (): Promise<void> => {
    await setTimeout(GATHERED);
    isGathering = false;
    if (newest > standing.seq) news();
  };
  const link = createLink(settings, {
    channel: "parley",
    greeting: NEW_TERM,
    notified: (seq) => {
      newest = Math.max(newest, Number(seq));
      if (isShared || isGathering || newest <= standing.seq) return;
      isGathering = true;
      void gather();
    },
    lost: () => {
      newest = Infinity;
      news();
    },
  });
  const push = createPush(link, start);
  const tail = createTail(link, replica, start, heardIn(tables));
  const note = createNote(db);

  const lose = (why: string): BatchRefusal => {
    if (lost === null) say({ why });
    lost ??= why;
    return gone(lost);
  };

  const send = async (
    changes: readonly CapturedRow[],
    follows: GroupOrder,
  ): Promise<BatchRefusal | ReplicaStale | null> => {
    if (lost !== null) return gone(lost);
    // Handles notifications that arrived while the jobs ran, because the database would reject a stale group anyway.
    await setImmediate();
    if (newest > standing.seq && !isLocked && follows !== "free") return "behind";
    const pushed = await push(changes, standing, { isLocked, follows });
    isLocked = false;
    switch (pushed.kind) {
      case "accepted":
        standing = after(standing, pushed.seq);
        note(standing);
        return null;
      case "behind":
        return pushed.kind;
      case "refused":
        return { failure: pushed.failure, isForAll: !pushed.isValue };
      case "lost":
        return lose(pushed.why);
    }
  };

  const bring = async (): Promise<TailResult> => {
    newest = standing.seq;
    const tailed = await tail(standing);
    if (tailed.kind === "ahead") lose(aheadOf(name, tailed.steps));
    if (tailed.kind === "stale")
      lose("this host was disconnected for so long that a new copy of the database is needed");
    if (tailed.kind !== "tailed") return tailed;
    if (!tailed.isMember) lose(ENDED);
    others += tailed.standing.seq - standing.seq - (standing.own ?? []).length;
    standing = tailed.standing;
    if (tailed.changed.length > 0) say({ seq: standing.seq, changed: tailed.changed });
    return tailed;
  };

  const catchUp = async (): Promise<BatchRefusal | null> => {
    if (lost !== null) return gone(lost);
    const tailed = await withPatience(bringLocked);
    if (lost !== null) return gone(lost);
    return tailed.kind === "trouble" ? { failure: linkFailureOf(tailed), isForAll: true } : null;
  };

  const bringLocked = async (): Promise<TailResult> => {
    misses += 1;
    isLocked = misses > PATIENT;
    const locked = isLocked ? await link.ask(LOCK) : null;
    const tailed = locked?.kind === "trouble" ? locked : await bring();
    if (tailed.kind !== "tailed" || lost !== null) await unlock();
    return tailed;
  };

  const unlock = async (): Promise<void> => {
    if (isLocked) await link.ask("ROLLBACK");
    isLocked = false;
  };

  const run = async (jobs: readonly WriteJob[], follows: GroupOrder): Promise<Iterator<WriteAnswer>> => {
    misses = 0;
    const steps = batches(jobs);
    let step = steps.next();
    while (step.done !== true)
      step = steps.next(step.value === null ? await catchUp() : await send(step.value, follows));
    await unlock();
    return step.value.values();
  };

  /** Brings the replica up to date, unless it contains the group, and reports its position. */
  const look = async (seq = Infinity): Promise<void> => {
    if (lost === null && seq > standing.seq) await bring();
    if (seq !== Infinity) return say({ seq: standing.seq, changed: [] });
    isShared = others > MANY;
    others = 0;
    say({ seq: standing.seq, changed: [], isShared });
  };
  const looking = setInterval(() => queue(look), LOOK);

  return {
    batch: async (jobs: readonly WriteJob[]): Promise<readonly WriteAnswer[]> => {
      const { shared = [], reserve = [], local = [] } = Object.groupBy(jobs, kindOf);
      const follows = shared.every(isFree) ? "free" : "all";
      // The database would reject a group of a replica that is known to be stale.
      const isFresh = follows === "all" || reserve.length > 0;
      if (isFresh && newest > standing.seq && lost === null) await bring();
      const written = {
        shared: await run(shared, follows),
        reserve: await run(reserve, "aside"),
        local: await run(local, "all"),
      };
      return jobs.flatMap((job) => written[kindOf(job)].next().value ?? []);
    },
    look,
    close: async (): Promise<void> => {
      clearInterval(looking);
      db.close();
      replica.close();
      await link.close();
    },
  };
};

/**
 * Jobs of a batch run in three parts. Local jobs (`local`) write rows that no other host sees, so a stale replica must not make
 * these jobs run again. Reservations (`reserve`) must see what all hosts have spent and reserved. No other job depends on a
 * reservation, so reservations are sent last, as a separate group.
 */
const kindOf = ({ name }: WriteJob): "local" | "reserve" | "shared" =>
  name === "writeLocal" ? "local" : name === "reserve" ? "reserve" : "shared";

/**
 * Whether hosts may run the job at the same time, in any order. Such a job reads and writes only the host's own totals and rows
 * of its own conversations. Only the ownership of the conversation prevents two claims of one message: the database does not
 * know which conversation a row of claims belongs to. Erasures are excluded, because the check for leftovers must see all rows.
 */
const isFree = (job: WriteJob): boolean =>
  (job.name === "step" && job.given[0].erasure === null) ||
  (job.port === "store" && job.name === "claim") ||
  (job.port === "purse" && job.name === "settle");

const heardIn = (tables: readonly Tables[]): ReadonlySet<string> =>
  new Set(withCoreTables(tables).flatMap(({ heard }) => heard ?? []));

const gone = (why: string): BatchRefusal => ({
  failure: { kind: "failed", code: "io", message: `This host can no longer write: ${why}.` },
  isForAll: true,
});
