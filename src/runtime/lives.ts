/**
 * The live conversations: loaded from the store when somebody needs them, forgotten when idle, so that a hundred
 * thousand stored ones cost nothing.
 *
 * B4 at most one live loop per conversation. B5 its first event in this process is `woken`, also when it was
 * forgotten and loaded again in between (D5).
 */

import type { EventKind } from "../core/event.ts";
import type { ConversationId, Millis } from "../core/id.ts";
import type { Confinement } from "../core/words.ts";
import { createLive, type Live, type LiveDeps } from "./conversation.ts";
import { outcome } from "./delivery.ts";
import type { Model, Stored } from "./ports.ts";

/** How often idle conversations are looked for; one is forgotten when two looks in a row found it unused. */
const SWEEP_EVERY: Millis = 5 * 60_000;

export interface LivesDeps extends LiveDeps {
  readonly boot: string;
  readonly confinement: Confinement;
  readonly model: Pick<Model, "window">;
}

export interface Lives {
  /** Null when no such conversation is stored. */
  open(id: ConversationId): Live | null;
  /** The live one if it is in memory. */
  peek(id: ConversationId): Live | undefined;
  /** Lets what has arrived be committed, then takes nothing more. */
  close(): Promise<void>;
}

export const createLives = (deps: LivesDeps): Lives => {
  const lives = new Map<ConversationId, { readonly live: Live; used: boolean }>();
  const woken = new Set<ConversationId>();

  const open = (id: ConversationId): Live | null => {
    const known = lives.get(id);
    if (known !== undefined) {
      known.used = true;
      return known.live;
    }
    const stored = deps.store.load(id);
    if (stored === null) return null;
    const live = createLive(stored, deps, woken.has(id) ? null : waking(stored));
    lives.set(id, { live, used: true });
    woken.add(id);
    return live;
  };

  const waking = ({ state }: Stored): EventKind => {
    const { boot, confinement, model } = deps;
    return { kind: "woken", boot, confinement, window: model.window(state.model) };
  };

  const sweep = (): void => {
    for (const [id, entry] of lives) {
      if (!entry.used && entry.live.evictable()) {
        entry.live.close();
        lives.delete(id);
      }
      entry.used = false;
    }
    cancelSweep = deps.clock.after(SWEEP_EVERY, sweep);
  };

  let cancelSweep = deps.clock.after(SWEEP_EVERY, sweep);

  return {
    open,
    peek: (id) => lives.get(id)?.live,
    close: async () => {
      cancelSweep();
      await Promise.all([...lives.values()].map(({ live }) => drain(live)));
      for (const { live } of lives.values()) live.close();
    },
  };
};

/** What has arrived is committed first; then a busy thread is told that its turn ends here. */
const drain = async (live: Live): Promise<void> => {
  await live.drained();
  live.post(outcome({ kind: "drained" }));
  await live.drained();
};
