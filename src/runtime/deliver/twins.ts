/** The platform may carry out a first request up to a minute late (40.B), so the thread is read again after the repeat. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import {
  type DeliveryRow,
  mayPass,
  STATUS_POST,
  type Surface,
  type Thread,
  type SendFailure,
} from "../../ports/surface.ts";
import { copyKey, type ThreadLedger } from "./thread-ledger.ts";

const LATE: Millis = 60_000;

interface TwinsDeps {
  readonly surface: Pick<Surface, "observe">;
  readonly thread: Thread;
  readonly book: ThreadLedger;
  readonly clock: Pick<Clock, "after">;
}

export type DuplicatePosts = ReturnType<typeof createTwins>;

export const createTwins = ({ surface, thread, book, clock }: TwinsDeps, wake: () => void) => {
  /** Keys of marks whose wait is running, with the function that cancels it. */
  const waiting = new Map<string, () => void>();

  const wait = (key: string): void => {
    waiting.get(key)?.();
    const cancel = clock.after(LATE, () => {
      waiting.delete(key);
      wake();
    });
    waiting.set(key, cancel);
  };

  return {
    /** The platform does not hold the message after `since`. */
    expect: async (row: DeliveryRow, since: string | null): Promise<void> => {
      wait(await book.mark(row, since));
    },
    loaded: (): void => {
      for (const { key } of book.marks()) if (!waiting.has(key)) wait(key);
    },
    due: (): DeliveryRow | null => book.marks().find(({ key }) => !waiting.has(key)) ?? null,
    isIdle: (): boolean => book.marks().length === 0,
    /** Returns the failure if the thread is closed. */
    seek: async (mark: DeliveryRow): Promise<SendFailure | null> => {
      const row = book.marked(mark);
      // The message is still being sent.
      if (row !== null && row.state !== "sent" && row.state !== "gone") {
        wait(mark.key);
        return null;
      }
      // A twin did not exist when the mark was made, so it comes after all messages of that time.
      const seen = await surface.observe(thread, mark.id, [mark.wire]);
      if (seen.kind !== "seen" && mayPass(seen)) {
        wait(mark.key);
        return null;
      }
      if (seen.kind === "gone") {
        wait(mark.key);
        return seen;
      }
      if (seen.kind === "seen") {
        const held = new Set(book.rows().map(({ id }) => id));
        const twins = seen.messages.filter(
          ({ id, wire }) => id !== row?.id && (wire === mark.wire || (wire === null && !held.has(id))),
        );
        for (const { id, hash } of twins)
          await book.keep({
            ...mark,
            key: copyKey(mark.key, id),
            post: STATUS_POST,
            id,
            hash,
            state: "sent",
          });
      }
      await book.unmark(mark.key);
      return null;
    },
  };
};
