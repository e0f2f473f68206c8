/**
 * What a platform sent, on the disk before it is acknowledged, and handled afterwards (D20).
 *
 * I1 `arrive` settles after the commit; what arrives close together shares one, so that a slow disk is waited for a
 * hundred times a second at most. I2 a lane is handled in order, lanes beside each other. I3 a row is settled when
 * it has been handled: what a crash interrupts is handled again, and every handler bears that. I4 what the disk
 * refuses is told so, and what nobody sends again is held and written when the disk takes it.
 */

import type { Millis } from "../../machine/id.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { InboundEvent, InboundResult, HandleResult, Inbox, InboxRow } from "../../ports/chat.ts";
import { type Ambient, CLOSING, pause } from "../../ports/host.ts";
import { createRepeatingTask } from "../bot/rounds.ts";
import { createTurns } from "../bot/turns.ts";
import type { Slots } from "../live/slots.ts";
import { createLruCache } from "../../text/remembered.ts";
import type { ListeningGap } from "./listening-gap.ts";
import { createRetryBuffer } from "./unstored.ts";

/** Shortest time between two commits. */
const GATHER: Millis = 10;
/** Waits before a row is handled again; after the last it is given up. */
const AGAIN: readonly Millis[] = [1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000];
/** How long ids are kept, from the last arrival on: platforms repeat themselves for a day, and catching up reads a day twice. */
const KEEP: Millis = 3 * 24 * 3_600_000;
const FORGET_EVERY: Millis = 6 * 3_600_000;
/** Ids that are known without the store: Slack tells of each mention twice within a moment. */
const LATELY = 200;

interface InboxDeps extends Ambient {
  readonly surface: string;
  readonly store: Pick<ChatStore, "arrive" | "settle" | "unhandled" | "forget" | "heardUntil">;
  readonly slots: Slots;
  /** `last`: it is not handled again, whatever comes of it. */
  readonly handle: (row: InboxRow, last: boolean) => Promise<HandleResult>;
  /** While it is open, something may be missing before what arrives. It begins with what the disk refuses. */
  readonly gap: Pick<ListeningGap, "isOpen" | "begin">;
  /** Everything that the disk refused is stored: what began the gap is over. */
  readonly stored: () => void;
}

interface Waiting {
  readonly row: InboxRow;
  readonly insist: boolean;
  readonly settle: (arrived: InboundResult) => void;
}

export const createInbox = (deps: InboxDeps): Inbox => {
  const { surface, store, clock, log } = deps;
  const lanes = createTurns();
  const closing = new AbortController();
  /** How many of a lane are on their way to the disk. */
  const arriving = new Map<string, number>();
  /** Stored of late. */
  const lately = createLruCache<true>(LATELY);
  let waiting: Waiting[] = [];
  let resting = false;

  const arrive = ({ insist = false, ...arrival }: InboundEvent): Promise<InboundResult> => {
    if (closing.signal.aborted) return Promise.resolve(CLOSING);
    if (lately.get(arrival.id) === true) return Promise.resolve({ kind: "known" });
    const { promise, resolve } = Promise.withResolvers<InboundResult>();
    waiting.push({ row: { ...arrival, at: clock.now() }, insist, settle: resolve });
    arriving.set(arrival.lane, (arriving.get(arrival.lane) ?? 0) + 1);
    if (!resting && waiting.length === 1) queueMicrotask(() => void write());
    return promise;
  };

  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    resting = true;
    clock.after(GATHER, () => {
      resting = false;
      if (waiting.length > 0) void write();
    });
    const rows = batch.map(({ row }) => row);
    // What came first is handled first.
    await Promise.all([...new Set(rows.map(({ lane }) => lane))].map(refused.before));
    const written = await store.arrive(surface, rows, deps.gap.isOpen());
    const fresh = new Set(written.kind === "failed" ? [] : written.fresh);
    for (const { row, insist, settle } of batch) {
      const isFirst = fresh.delete(row.id);
      if (isFirst) {
        lately.set(row.id, true);
        enqueue(row);
      }
      if (written.kind === "failed" && insist) {
        // Nothing behind it counts as answered before it is stored.
        deps.gap.begin();
        refused.hold(row);
      }
      const others = (arriving.get(row.lane) ?? 1) - 1;
      if (others === 0) arriving.delete(row.lane);
      else arriving.set(row.lane, others);
      settle(written.kind === "failed" ? written : { kind: isFirst ? "stored" : "known" });
    }
  };

  const refused = createRetryBuffer({
    ...deps,
    write: async (row) => {
      const written = await store.arrive(surface, [row], true);
      if (written.kind !== "failed" && written.fresh.has(row.id)) enqueue(row);
      return written.kind !== "failed";
    },
  });

  const enqueue = (row: InboxRow): void => void lanes.take(row.lane, () => work(row));

  const work = async (row: InboxRow): Promise<void> => {
    for (const wait of [...AGAIN, null]) {
      const release = await deps.slots.take(closing.signal);
      if (release === null) return;
      const handled = await attempt(row, wait === null);
      release();
      if (handled === "done") return settle(row);
      if (wait === null) break;
      await pause(clock, wait, closing.signal);
    }
    log.error("what arrived could not be handled and is given up", { surface, id: row.id });
    await settle(row);
  };

  const attempt = async (row: InboxRow, last: boolean): Promise<HandleResult> => {
    try {
      return await deps.handle(row, last);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log.error("handling what arrived failed", { surface, id: row.id, why });
      return "later";
    }
  };

  const settle = async ({ id }: InboxRow): Promise<void> => {
    for (const wait of AGAIN) {
      const settled = await store.settle(surface, id);
      if (settled.kind === "done" || closing.signal.aborted) return;
      await pause(clock, wait, closing.signal);
    }
    log.warn("what was handled is not marked so, and will be looked at again", { surface, id });
  };

  /** What the disk does not forget now is forgotten next time. */
  const forgetting = createRepeatingTask(clock, () => {
    const now = clock.now();
    void store.forget(surface, now - KEEP, Math.min(now, store.heardUntil(surface) ?? now) - KEEP);
    forgetting.wakeAfter(FORGET_EVERY);
  });

  return {
    arrive,
    awaits: (lane) => lanes.has(lane) || arriving.has(lane) || refused.holds(lane),
    start: () => {
      forgetting.wake();
      for (const row of store.unhandled(surface)) enqueue(row);
    },
    close: async () => {
      closing.abort();
      await Promise.all([forgetting.close(), refused.close(), lanes.settled()]);
    },
  };
};
