/** What each request of some threads and their helpers was billed, read from the trace. */

import type { EventKind } from "../../../src/machine/event.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Usage } from "../../../src/machine/vocabulary.ts";
import type { Store } from "../../../src/ports/store.ts";
import { openStore } from "../../store/open-store.ts";

export interface Billed {
  readonly usage: Usage;
  /** Why its prefix is new; null where it must not be. */
  readonly broken: Broken | null;
  /** What it read from the cache, of what the one before it had sent. */
  readonly share: number;
}

type Broken = "a thread begins" | "a helper begins" | "another model answers" | "a summary is written";

export const billedIn = async (data: string, threads: readonly string[]): Promise<readonly Billed[]> => {
  const opened = openStore(data);
  if (opened.kind === "failed") throw new Error(opened.message);
  const { store } = opened;
  const billed = threads
    .map((id): ConversationId => `c-${id.slice(2)}`)
    .flatMap((id) => [
      ...requestsOf(store, id, "a thread begins"),
      ...store.agents(id).flatMap((agent) => requestsOf(store, agent, "a helper begins")),
    ]);
  await store.close();
  return billed;
};

const requestsOf = (
  store: Pick<Store, "trace">,
  id: ConversationId,
  first: "a thread begins" | "a helper begins",
): readonly Billed[] => {
  const billed: Billed[] = [];
  let broken: Broken | null = first;
  let sent = 0;
  for (const { event } of store.trace(id)) {
    if (event.kind === "modelSet") broken = "another model answers";
    const usage = usageIn(event);
    if (usage === null) continue;
    const why = event.kind === "answered" ? broken : "a summary is written";
    billed.push({ usage, broken: why, share: sent === 0 ? 0 : usage.cacheRead / sent });
    sent = usage.input + usage.cacheRead + usage.cacheWrite;
    broken = null;
  }
  return billed;
};

const usageIn = (event: EventKind): Usage | null =>
  event.kind === "answered" || event.kind === "summarized" ? event.usage : null;
