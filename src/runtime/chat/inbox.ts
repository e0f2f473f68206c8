/**
 * I1 `arrive` settles after the commit (D20). Events that arrive close together share a commit, so that a slow disk causes at
 * most a hundred waits a second. I2 Each lane is handled in order; lanes run in parallel. I3 A row is settled when it was
 * handled. After a crash it is handled again, and every handler tolerates that. I4 If the disk refuses a write, the sender gets
 * an error. Events that are not resent stay in memory until a write succeeds.
 */

import type { Millis } from "../../machine/id.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { InboundEvent, InboundResult, HandleResult, Inbox, InboxRow } from "../../ports/chat.ts";
import { type Ambient, CLOSING, pause } from "../../ports/host.ts";
import { createRepeatingTask } from "../bot/repeating-task.ts";
import { createTurns } from "../bot/turns.ts";
import type { Slots } from "../live/slots.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import type { ListeningGap } from "./listening-gap.ts";
import { createRetryBuffer } from "./retry-buffer.ts";

const GATHER: Millis = 10;
/** Delays before a row is handled again. The row is dropped after the last attempt. */
const AGAIN: readonly Millis[] = [1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000];
/** Retention of ids after the last event. Platforms resend events for a day, and catch-up reads a day twice. */
const KEEP: Millis = 3 * 24 * 3_600_000;
const FORGET_EVERY: Millis = 6 * 3_600_000;
/** Slack reports each mention twice within a moment. */
const LATELY = 200;

interface InboxDeps extends Ambient {
  readonly surface: string;
  readonly store: Pick<ChatStore, "arrive" | "settle" | "unhandled" | "forget" | "heardUntil">;
  readonly slots: Slots;
  readonly handle: (row: InboxRow, last: boolean) => Promise<HandleResult>;
  /** While the gap is open, events may be missing before the arriving ones. A refused write opens the gap. */
  readonly gap: Pick<ListeningGap, "isOpen" | "begin">;
  /** Called when all refused events are stored. */
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
  const arriving = new Map<string, number>();
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
    // Earlier events are handled first.
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
        // No later event counts as answered before this one is stored.
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
    log.error("inbox: event dropped", { surface, id: row.id, attempts: AGAIN.length + 1 });
    await settle(row);
  };

  const attempt = async (row: InboxRow, last: boolean): Promise<HandleResult> => {
    try {
      return await deps.handle(row, last);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log.error("inbox: event not handled", { surface, id: row.id, why });
      return "later";
    }
  };

  const settle = async ({ id }: InboxRow): Promise<void> => {
    for (const wait of AGAIN) {
      const settled = await store.settle(surface, id);
      if (settled.kind === "done" || closing.signal.aborted) return;
      await pause(clock, wait, closing.signal);
    }
    log.warn("inbox: handled event not marked", { surface, id });
  };

  /** A failed deletion is repeated at the next run. */
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
