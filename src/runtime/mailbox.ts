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

/** `handle` must not throw. */
export const createMailbox = <Item>(handle: (item: Item) => void): Mailbox<Item> => {
  const stops: Item[] = [];
  const items: Item[] = [];
  const waiting: (() => void)[] = [];
  let scheduled = false;

  const drain = (): void => {
    for (let item = next(); item !== undefined; item = next()) handle(item);
    scheduled = false;
    for (const settle of waiting.splice(0)) settle();
  };

  const next = (): Item | undefined => stops.shift() ?? items.shift();

  return {
    post: (item, lane) => {
      (lane === "stop" ? stops : items).push(item);
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(drain);
    },
    drained: () => {
      if (!scheduled) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
  };
};
