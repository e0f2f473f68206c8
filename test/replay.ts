/** L12 over everything that a test produced: each stored conversation replays to exactly what is stored of it. */

import type { Store } from "../src/ports/store.ts";
import { replay } from "../src/runtime/bot/replay.ts";
import { openStoreForReading } from "../src/store/sqlite.ts";

/** The same of a data directory that no process writes. */
export const replayDirectory = (directory: string): number => {
  const opened = openStoreForReading(directory);
  if (opened.kind === "failed") throw new Error(opened.message);
  try {
    return replayAll(opened.store);
  } finally {
    opened.store.close();
  }
};

const MANY = 10_000;

/** The number of events replayed. Throws at the first conversation that differs. */
export const replayAll = (store: Pick<Store, "list" | "agents" | "initial" | "trace">): number => {
  let events = 0;
  for (const { conversation } of store.list(MANY, null)) {
    for (const id of [conversation.id, ...store.agents(conversation.id)]) {
      const replayed = replay(store, id);
      if (replayed.kind !== "identical") throw new Error(`${id}: ${JSON.stringify(replayed)}`);
      events += replayed.events;
    }
  }
  return events;
};
