/**
 * The live conversations: loaded from the store when somebody needs them, forgotten when idle, so that a hundred
 * thousand stored ones cost nothing.
 *
 * B4 at most one live loop per conversation. B5 its first event in this process is `woken`, also when it was
 * forgotten and loaded again in between (D5).
 */

import { familyOf } from "../../machine/agent.ts";
import type { ConversationId, Millis } from "../../machine/id.ts";
import { isSettled } from "../../machine/state.ts";
import type { Confinement, UnrestrictedOffer } from "../../machine/words.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Model } from "../../ports/model.ts";
import type { StoredConversation } from "../../ports/store.ts";
import { createLive, type Live, type LiveDeps } from "./conversation.ts";
import { type DeliveredEvent, deliveredEvent } from "./mailbox.ts";
import { agentResults } from "./agent-results.ts";
import { isAtRest, until } from "./bring-to-rest.ts";

/** How often idle conversations are looked for; one is forgotten when two looks in a row found it unused. */
const SWEEP_EVERY: Millis = 5 * 60_000;

interface LiveConversationsDeps extends LiveDeps {
  readonly boot: string;
  readonly confinement: Confinement;
  readonly offer?: UnrestrictedOffer;
  readonly model: Pick<Model, "window">;
  /** One of several hosts: whether it has the conversation. Absent: it has all. */
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

  /** What has arrived is committed first. Twice: a stop that ends here may begin what was to be sent after it. */
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
    /**
     * Closes it once what it does has ended, and opens it no more; false, and it goes on, where something has begun in
     * it meanwhile.
     */
    retire: async (live: Live): Promise<boolean> => {
      const { id } = live.state();
      retired.add(id);
      live.close();
      await live.drained();
      lives.delete(id);
      if (isAtRest(live.state())) return true;
      // What began in it has lost its loop: the next one repairs that, as after a restart.
      retired.delete(id);
      woken.delete(id);
      return false;
    },
    /** It can be opened again after all. */
    reopen: (id: ConversationId) => void retired.delete(id),
    /** Another host has it from `hand` on; whoever opens it anew here begins as after a restart. Its failure, and it stays. */
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
    /** Settles when no turn goes on, here or in what it has begun. */
    rest: async (): Promise<void> => {
      for (let left = busyOf(lives); left.length > 0; left = busyOf(lives))
        await Promise.all(left.map((live) => until(live, ({ phase }) => isSettled(phase))));
    },
    /** Lets what has arrived be committed; then busy threads are told that their turns end here. */
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

/** Those end first, so that what they came to is told to their parents. */
const isAgent = (live: Live): boolean => live.state().kind === "subagent";
