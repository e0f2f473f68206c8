/**
 * One conversation's mailbox: one item at a time, in order, never re-entrant; what a person says to stop overtakes
 * everything that waits (BED-005.3). Items of one tick are seen together, so a stop beats a completion that
 * arrived with it.
 */

export type Lane = "stop" | "normal";

interface Mailbox<Item> {
  post(item: Item, lane: Lane): void;
  empty(): boolean;
  /** Settles when that is so. */
  drained(): Promise<void>;
}

/** The next item is taken when `handle` has settled; it must not throw or reject. */
export const createMailbox = <Item>(handle: (item: Item) => Promise<void>): Mailbox<Item> => {
  const stops: Item[] = [];
  const items: Item[] = [];
  const waiting: (() => void)[] = [];
  let busy = false;

  const drain = async (): Promise<void> => {
    for (let item = next(); item !== undefined; item = next()) await handle(item);
    busy = false;
    for (const settle of waiting.splice(0)) settle();
  };

  const next = (): Item | undefined => stops.shift() ?? items.shift();

  return {
    post: (item, lane) => {
      (lane === "stop" ? stops : items).push(item);
      if (busy) return;
      busy = true;
      queueMicrotask(() => void drain());
    },
    empty: () => !busy,
    drained: () => {
      if (!busy) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
  };
};
