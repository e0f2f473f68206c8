/** Prints `identical`, or the first difference. Sub-agents of the conversation are replayed too. */

import type { ConversationId } from "../../machine/id.ts";
import { type Replay, replay } from "../../runtime/bot/replay.ts";
import { complain } from "./shared/complain.ts";
import { type StoredForReading, withStored } from "./shared/with-stored.ts";

const USAGE = "Usage: npm run replay -- CONVERSATION   (an id such as c-…, from the console's address bar)";

export const replayCommand = ([id]: readonly string[]): number => {
  if (id === undefined || !isConversation(id)) return complain(USAGE);
  const missing = (directory: string): string => `There is no conversation ${id} in ${directory}.`;
  return withStored(missing, ({ store }, directory) => {
    const result = whole(store, id);
    switch (result.kind) {
      case "identical":
        console.log(`identical (${result.events} events)`);
        return 0;
      case "different":
        console.log(`different at event ${result.seq}: ${result.what}`);
        return 1;
      case "unknown":
        return complain(missing(directory));
    }
  });
};

const whole = (store: StoredForReading["store"], id: ConversationId): Replay => {
  let result = replay(store, id);
  for (const agent of store.agents(id)) {
    const replayed = replay(store, agent);
    if (result.kind !== "identical") return result;
    if (replayed.kind === "different") return { ...replayed, what: `${replayed.what} (sub-agent ${agent})` };
    if (replayed.kind === "identical") result = { ...result, events: result.events + replayed.events };
  }
  return result;
};

const isConversation = (id: string): id is `c-${string}` => id.startsWith("c-");
