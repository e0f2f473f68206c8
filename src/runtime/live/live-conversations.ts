/**
 * B4 At most one live loop per conversation. B5 The first event of a conversation in this process is `woken`, even if the
 * conversation was unloaded and loaded again in between (D5).
 */

import { familyOf } from "../../machine/agent.ts";
import type { ConversationId, Millis } from "../../machine/id.ts";
import { isSettled } from "../../machine/state.ts";
import type { Confinement, UnrestrictedOffer } from "../../machine/vocabulary.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Model } from "../../ports/model.ts";
import type { StoredConversation } from "../../ports/store.ts";
import { createLive, type Live, type LiveDeps } from "./conversation.ts";
import { type DeliveredEvent, deliveredEvent } from "./mailbox.ts";
import { agentResults } from "./agent-results.ts";
import { isAtRest, until } from "./stop-and-settle.ts";

/** A conversation is unloaded after two searches found it unused. */
const SWEEP_EVERY: Millis = 5 * 60_000;

interface LiveConversationsDeps extends LiveDeps {
  readonly boot: string;
  readonly confinement: Confinement;
  readonly offer?: UnrestrictedOffer;
  readonly model: Pick<Model, "window">;
  /** Absent if this host owns all conversations. */
  readonly isMine?: (id: ConversationId) => boolean;
}

export type LiveConversations = ReturnType<typeof createLiveConversations>;

export const createLiveConversations = (deps: LiveConversationsDeps) => {
  const lives = new Map<ConversationId, { readonly live: Live; used: boolean }>();
  const woken = new Set<ConversationId>();
  const retired = new Set<ConversationId>();

  const open = (id: ConversationId): Live | null => {
    if (retired.has(id)) return null;
    const known = lives.get(id);
    if (known !== undefined) {
      known.used = true;
      return known.live;
    }
    if (deps.isMine?.(id) === false) return null;
    const stored = deps.store.load(id);
    if (stored === null) return null;
    const live = createLive(stored, deps, woken.has(id) ? null : waking(stored));
    lives.set(id, { live, used: true });
    woken.add(id);
    return live;
  };

  const waking = ({ state }: StoredConversation): DeliveredEvent => {
    const { boot, confinement, model, offer } = deps;
    const { words = [], ...read } = agentResults(deps, state) ?? {};
    const host = {
      boot,
      confinement,
      ...(offer && { offer }),
      window: model.window(state.model),
      guarded: true,
    } as const;
    return deliveredEvent({ kind: "woken", ...host, ...read }, words);
  };

  /** Runs twice, because a stop that ends here may begin a turn with the message queued after it. */
  const drain = async (live: Live): Promise<void> => {
    await live.drained();
    for (let turns = 0; turns < 2; turns += 1) {
      const { words = [], ...read } = agentResults(deps, live.state()) ?? {};
      live.post(deliveredEvent({ kind: "drained", ...read }, words));
      await live.drained();
    }
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
    peek: (id: ConversationId): Live | undefined => lives.get(id)?.live,
    /** Closes a conversation once its work has ended. Returns false if new work has begun by then. */
    retire: async (live: Live): Promise<boolean> => {
      const { id } = live.state();
      retired.add(id);
      live.close();
      await live.drained();
      lives.delete(id);
      if (isAtRest(live.state())) return true;
      // The new work has lost its loop; the next load repairs that, as after a restart.
      retired.delete(id);
      woken.delete(id);
      return false;
    },
    reopen: (id: ConversationId) => void retired.delete(id),
    /** Opened here later, the conversation starts as after a restart. Returns the failure if the conversation stays here. */
    hand: async (
      id: ConversationId,
      hand: () => Promise<WriteFailure | null>,
    ): Promise<WriteFailure | null> => {
      const family = Array.from(lives.keys()).filter((one) => familyOf(one) === id);
      for (const one of family) retired.add(one);
      await Promise.all(
        family.map(async (one) => {
          const live = lives.get(one)?.live;
          await live?.drained();
          live?.close();
          lives.delete(one);
          woken.delete(one);
        }),
      );
      const failure = await hand();
      for (const one of family) retired.delete(one);
      return failure;
    },
    /** Resolves when no turn is running. */
    rest: async (): Promise<void> => {
      for (let left = busyOf(lives); left.length > 0; left = busyOf(lives))
        await Promise.all(left.map((live) => until(live, ({ phase }) => isSettled(phase))));
    },
    /** Commits arrived events, then notifies busy conversations that their turns end here. */
    drain: async () => {
      const all = Array.from(lives.values(), ({ live }) => live);
      await Promise.all(all.filter(isAgent).map(drain));
      await Promise.all(all.filter((live) => !isAgent(live)).map(drain));
    },
    close: () => {
      cancelSweep();
      for (const { live } of lives.values()) live.close();
    },
  };
};

const busyOf = (lives: ReadonlyMap<ConversationId, { readonly live: Live }>): readonly Live[] =>
  Array.from(lives.values(), ({ live }) => live).filter((live) => !isSettled(live.state().phase));

/** Sub-agents are drained first, so that their results reach their parents. */
const isAgent = (live: Live): boolean => live.state().kind === "subagent";
