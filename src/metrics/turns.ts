/** Turns, counted when they end, and how many are under way. */

import { Counter, Gauge, type Registry } from "prom-client";
import type { ConversationId } from "../machine/id.ts";
import type { State } from "../machine/state.ts";
import type { Change } from "../ports/bot.ts";

export const measureTurns = (registry: Registry): ((id: ConversationId, change: Change) => void) => {
  const registers = [registry];
  const ended = new Counter({
    name: "parley_turns_total",
    help: "Turns that ended, by the phase that the conversation was left in.",
    labelNames: ["phase"],
    registers,
  });
  /** Conversations with an open turn; others are not remembered. */
  const open = new Set<ConversationId>();
  registry.registerMetric(
    new Gauge({
      name: "parley_turns_under_way",
      help: "Turns that have begun and not ended, those that wait for a person included.",
      registers: [],
      collect() {
        this.set(open.size);
      },
    }),
  );
  return (id, change) => {
    if (change.kind === "gone") open.delete(id);
    if (change.kind !== "state") return;
    const { kind } = change.overview.state.phase;
    if (!OVER.has(kind)) open.add(id);
    else if (open.delete(id)) ended.inc({ phase: kind });
  };
};

/** Phases in which no turn is under way: a sub-agent ends, and a conversation whose context is full goes on in another. */
const OVER: ReadonlySet<State["phase"]["kind"]> = new Set(["idle", "failed", "ended", "exhausted"]);
