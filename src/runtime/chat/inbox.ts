/**
 * What a platform sent, on the disk before it is acknowledged, and handled afterwards (D20).
 *
 * I1 `arrive` settles after the commit; what arrives close together shares one, so that a slow disk is waited for a
 * hundred times a second at most. I2 a lane is handled in order, lanes beside each other. I3 a row is settled when
 * it has been handled: what a crash interrupts is handled again, and every handler bears that.
 */

import type { Millis } from "../../core/id.ts";
import type { Clock, Log, WriteFailure } from "../ports.ts";
import type { Arrival, Arrived, ChatStore, Handled, Inbox, InboxRow } from "../ports-chat.ts";
import type { Slots } from "../slots.ts";
import type { Gap } from "./gap.ts";

/** Shortest time between two commits. */
const GATHER: Millis = 10;
/** Waits before a row is handled again; after the last it is given up. */
const AGAIN: readonly Millis[] = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];
/** How long ids are kept: platforms repeat themselves for a day. */
const KEEP: Millis = 3 * 24 * 3_600_000;
const FORGET_EVERY: Millis = 6 * 3_600_000;

export interface InboxDeps {
  readonly surface: string;
  readonly store: Pick<ChatStore, "arrive" | "settle" | "unhandled" | "forget">;
  readonly clock: Clock;
  readonly log: Log;
  /** Rows that are handled at the same time. */
  readonly slots: Slots;
  /** `last`: it is not handled again, whatever comes of it. */
  readonly handle: (row: InboxRow, last: boolean) => Promise<Handled>;
  /** While it is open, something may be missing before what arrives. */
  readonly gap: Pick<Gap, "isOpen">;
}

interface Waiting {
  readonly row: InboxRow;
  readonly settle: (arrived: Arrived) => void;
}

export const createInbox = (deps: InboxDeps): Inbox => {
  const { surface, store, clock, log } = deps;
  const lanes = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let waiting: Waiting[] = [];
  let resting = false;
  let cancelForget: (() => void) | null = null;

  const arrive = (arrival: Arrival): Promise<Arrived> => {
    if (closing.signal.aborted) return Promise.resolve(CLOSING);
    const { promise, resolve } = Promise.withResolvers<Arrived>();
    waiting.push({ row: { ...arrival, at: clock.now() }, settle: resolve });
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
    const written = await store.arrive(
      surface,
      batch.map(({ row }) => row),
      deps.gap.isOpen(),
    );
    const fresh = new Set(written.kind === "failed" ? [] : written.fresh);
    for (const { row, settle } of batch) {
      const isFirst = fresh.delete(row.id);
      if (written.kind === "failed") settle(written);
      else settle({ kind: isFirst ? "stored" : "known" });
      if (isFirst) enqueue(row);
    }
  };

  const enqueue = (row: InboxRow): void => {
    const before = lanes.get(row.lane) ?? Promise.resolve();
    const mine = before
      .then(() => work(row))
      .finally(() => {
        if (lanes.get(row.lane) === mine) lanes.delete(row.lane);
      });
    lanes.set(row.lane, mine);
  };

  const work = async (row: InboxRow): Promise<void> => {
    for (const wait of [...AGAIN, null]) {
      const release = await deps.slots.take(closing.signal);
      if (release === null) return;
      const handled = await attempt(row, wait === null);
      release();
      if (handled === "done") return settle(row);
      if (wait === null) break;
      if (!(await pause(wait))) return;
    }
    log.error("what arrived could not be handled and is given up", { surface, id: row.id });
    await settle(row);
  };

  const attempt = async (row: InboxRow, last: boolean): Promise<Handled> => {
    try {
      return await deps.handle(row, last);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log.error("handling what arrived failed; it is not tried again", { surface, id: row.id, why });
      return "done";
    }
  };

  const settle = async ({ id }: InboxRow): Promise<void> => {
    for (const wait of AGAIN) {
      const settled = await store.settle(surface, id);
      if (settled.kind === "done" || !(await pause(wait))) return;
    }
    log.warn("what was handled is not marked so, and will be looked at again", { surface, id });
  };

  /** False when the process ends meanwhile. */
  const pause = (delay: Millis): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel = clock.after(delay, () => {
        closing.signal.removeEventListener("abort", end);
        resolve(!closing.signal.aborted);
      });
      const end = (): void => {
        cancel();
        resolve(false);
      };
      closing.signal.addEventListener("abort", end, { once: true });
    });

  /** What the disk does not forget now is forgotten next time. */
  const forget = (): void => {
    void store.forget(surface, clock.now() - KEEP);
    cancelForget = clock.after(FORGET_EVERY, forget);
  };

  return {
    arrive,
    start: () => {
      forget();
      for (const row of store.unhandled(surface)) enqueue(row);
    },
    close: async () => {
      closing.abort();
      cancelForget?.();
      await Promise.all(lanes.values());
    },
  };
};

const CLOSING: WriteFailure = { kind: "failed", code: "closing", message: "Parley is shutting down." };
