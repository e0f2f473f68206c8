/**
 * One conversation's mailbox: one item at a time, in order, never re-entrant; what a person says to stop overtakes
 * everything that waits (BED-005.3). Items of one tick are seen together, so a stop beats a completion that
 * arrived with it.
 */

export type Lane = "stop" | "normal";

/** The next item is taken when `handle` has settled; it must not throw or reject. */
export const createMailbox = <Item>(handle: (item: Item) => Promise<void>) => {
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
    post: (item: Item, lane: Lane): void => {
      (lane === "stop" ? stops : items).push(item);
      if (busy) return;
      busy = true;
      queueMicrotask(() => void drain());
    },
    empty: (): boolean => !busy,
    /** Settles when that is so. */
    drained: async (): Promise<void> => {
      if (busy) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
  };
};
