/** Batches that are sent to the database that hosts share before they end in the replica, and what other hosts send there. */

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

/** What a member writes with. */
export interface PushContext {
  readonly settings: FleetSettings;
  readonly start: HostStart;
  /** In which it joined. */
  readonly epoch: number;
  /** Of the replica. */
  readonly standing: ReplicaPosition;
}

interface Hears {
  say(said: WriterNotice): void;
  /** Whatever is done comes one after the other. */
  queue(work: () => Promise<void>): void;
}

/** Milliseconds between looks where the database tells nothing. */
const LOOK = 1_000;

/** Milliseconds after a notice in which others may come. */
const GATHERED = 100;

/**
 * The lock on the history, for a group that was too late again and again: nobody can be faster then. Not sooner: a host that
 * has it and little time on its processor holds up all others, and one that freezes does for two seconds.
 */
export const LOCK = `
BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '2s';
SELECT FROM parley.lease FOR UPDATE; SAVEPOINT locked`;

/** Groups of others between two looks that are many: then notices bring no rows, since most of them change again until the next look. */
const MANY = 8;

/**
 * Numbers between two of one host: hosts that do not see each other's rows number theirs apart, and each behind all that it sees.
 * No two join in epochs that are so far apart and are there at once.
 */
const HOSTS = 2 ** 20;

/** Times that a group may be too late before it locks the history. */
const PATIENT = 8;

/** For the thread that writes (`WritingModule` of `src/store/write/writer-thread.ts`). Throws where the file cannot be opened. */
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
  /** Rows of others come in an order in which references need not hold, and are not captured. */
  const replica = connectReplica(name, SCHEMA);
  const batches = createBatches(db, tablesOf(db, silentLog, tables), createCapture(db));
  let standing = begin;
  let lost: string | null = null;
  let isLocked = false;
  /** Groups of others since it was last said whether they are many. */
  let others = 0;
  let isShared = false;
  /** How often this batch was too late. */
  let misses = 0;
  /** Group of which a notice told; the own ones are there by the time that it counts. */
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
    // Notices that came while the jobs ran are heard now: what is behind is not sent in vain.
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
    if (tailed.kind === "stale") lose("it was away for so long that its copy has to be made anew");
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

  /** Brings the replica up, unless it has that group, and says how far it is. */
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
      // What is known to be behind is not sent in vain.
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
 * What no other host sees (`local`) is not run again with what it was too late for. What sets money aside (`reserve`) has to see
 * what all hosts spent and set aside; nothing else depends on what it writes, so it goes behind the others, by itself.
 */
const kindOf = ({ name }: WriteJob): "local" | "reserve" | "shared" =>
  name === "writeLocal" ? "local" : name === "reserve" ? "reserve" : "shared";

/**
 * Hosts may do these at the same time, whichever counts first: they read and write rows of conversations that the host has, which
 * no other host changes thus, and sums of its own. That the conversation is the host's is all that keeps a message from being claimed
 * twice: the database does not know of which one a row of claims is. What erases is no such step: whoever asks what is left sees all.
 */
const isFree = (job: WriteJob): boolean =>
  (job.name === "step" && job.given[0].erasure === null) ||
  (job.port === "store" && job.name === "claim") ||
  (job.port === "purse" && job.name === "settle");

const heardIn = (tables: readonly Tables[]): ReadonlySet<string> =>
  new Set(withCoreTables(tables).flatMap(({ heard }) => heard ?? []));

const gone = (why: string): BatchRefusal => ({
  failure: { kind: "failed", code: "io", message: `This host may not write any more: ${why}.` },
  isForAll: true,
});
