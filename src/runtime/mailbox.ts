/**
 * One conversation's mailbox: one item at a time, in order, never re-entrant; what a person says to stop overtakes
 * everything that waits (BED-005.3). Items of one tick are seen together, so a stop beats a completion that
 * arrived with it.
 */

export type Lane = "stop" | "normal";

export interface Mailbox<Item> {
  post(item: Item, lane: Lane): void;
  /** Settles when nothing waits and nothing is being handled. */
  drained(): Promise<void>;
}

/** `handle` answers false when the item cannot be taken now: it stays first, and `resume` tries again. */
export const createMailbox = <Item>(
  handle: (item: Item) => boolean,
  whenBlocked: (resume: () => void) => void,
): Mailbox<Item> => {
  const stops: Item[] = [];
  const items: Item[] = [];
  const waiting: (() => void)[] = [];
  let scheduled = false;

  const drain = (): void => {
    scheduled = false;
    for (let lane = next(); lane !== null; lane = next()) {
      const item = lane[0];
      if (item === undefined) break;
      if (!handle(item)) {
        scheduled = true;
        whenBlocked(drain);
        return;
      }
      // A stop that arrived while `item` was handled is behind it in its own lane, so the first is still `item`.
      lane.shift();
    }
    for (const settle of waiting.splice(0)) settle();
  };

  const next = (): Item[] | null => {
    if (stops.length > 0) return stops;
    return items.length > 0 ? items : null;
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(drain);
  };

  return {
    post: (item, lane) => {
      (lane === "stop" ? stops : items).push(item);
      schedule();
    },
    drained: () =>
      scheduled || next() !== null
        ? new Promise((resolve) => {
            waiting.push(resolve);
          })
        : Promise.resolve(),
  };
};
