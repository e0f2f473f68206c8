/**
 * `npm run replay -- CONVERSATION`: exit 0 and `identical`, or the first difference. The sub-agents that
 * it started are replayed with it.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConversationId } from "../machine/id.ts";
import { type Replay, replay } from "../runtime/bot/replay.ts";
import { openStoreForReading, type StoreReader } from "../store/sqlite.ts";
import { loadConfig } from "./load-config.ts";

export const replayCommand = async (args: readonly string[]): Promise<number> => {
  const [id] = args;
  if (id === undefined || !isConversation(id)) {
    console.error(
      "Usage: npm run replay -- CONVERSATION   (an id such as c-…, from the console's address bar)",
    );
    return 1;
  }
  const config = loadConfig();
  if (config === null) return 1;
  if (!existsSync(join(config.PARLEY_DATA, "parley.sqlite"))) return unknown(id, config.PARLEY_DATA);
  const opened = openStoreForReading(config.PARLEY_DATA);
  if (opened.kind === "failed") {
    console.error(opened.message);
    return 1;
  }
  const result = whole(opened.store, id);
  opened.store.close();
  switch (result.kind) {
    case "identical":
      console.log(`identical (${result.events} events)`);
      return 0;
    case "different":
      console.log(`different at event ${result.seq}: ${result.what}`);
      return 1;
    case "unknown":
      return unknown(id, config.PARLEY_DATA);
  }
};

/** The first that differs, or all events together. */
const whole = (store: StoreReader, id: ConversationId): Replay => {
  let result = replay(store, id);
  for (const agent of store.agents(id)) {
    const replayed = replay(store, agent);
    if (result.kind !== "identical") return result;
    if (replayed.kind === "different") return { ...replayed, what: `${replayed.what} (sub-agent ${agent})` };
    if (replayed.kind === "identical") result = { ...result, events: result.events + replayed.events };
  }
  return result;
};

const unknown = (id: string, directory: string): number => {
  console.error(`There is no conversation ${id} in ${directory}.`);
  return 1;
};

const isConversation = (id: string): id is `c-${string}` => id.startsWith("c-");
