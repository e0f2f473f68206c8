/**
 * Turns in flight. A client's retry of a request joins the turn that the request began: proxies end silent connections,
 * and clients then send the same again. A turn without a client is stopped after a grace, in which a retry finds it.
 */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { CompletionHead } from "./answer.ts";
import type { RequestProblem } from "./failure.ts";
import type { TurnHooks, TurnResult } from "./turn.ts";

export type CompletionOutcome =
  | (TurnResult & { readonly kind: "answered" })
  | { readonly kind: "problem"; readonly problem: RequestProblem };

export interface RunningTurn {
  readonly session: string;
  readonly named: CompletionHead;
  /** Settles with the turn. `onText` gets the whole text so far, from what there is at once. */
  join(hooks: TurnHooks): Promise<CompletionOutcome>;
}

interface Begun {
  readonly session: string;
  readonly conversation: ConversationId;
  readonly named: CompletionHead;
  /** Names the request; the same for a retry. */
  readonly digest: string;
  readonly take: (hooks: TurnHooks) => Promise<CompletionOutcome>;
}

interface Entry extends RunningTurn {
  readonly begun: Begun;
  readonly isAbandoned: () => boolean;
  /** Stops it and settles when it has ended. */
  readonly stop: () => Promise<void>;
}

/** `grace`: how long a turn goes on after its last client left. */
export const createGatewayTurns = (clock: Pick<Clock, "after">, grace: Millis) => {
  const entries = new Set<Entry>();
  return {
    /**
     * The turn that the request repeats; null if it repeats none. Without a session (`null`) equal requests of two clients
     * are two, so that its client must be gone, or the request must say that it is a retry.
     */
    repeated: (session: string | null, digest: string, isRetry: boolean): RunningTurn | null => {
      const isSame = (one: Entry): boolean =>
        one.begun.digest === digest &&
        (session === null ? isRetry || one.isAbandoned() : one.session === session);
      return [...entries].find(isSame) ?? null;
    },
    /** Stops a turn of the conversation that no client waits for, so that another message is accepted. */
    clear: async (conversation: ConversationId): Promise<void> => {
      for (const one of entries)
        if (one.begun.conversation === conversation && one.isAbandoned()) await one.stop();
    },
    begin: (begun: Begun): RunningTurn => {
      const entry = open(begun, clock, grace, () => entries.delete(entry));
      entries.add(entry);
      return entry;
    },
  };
};

const open = (begun: Begun, clock: Pick<Clock, "after">, grace: Millis, leave: () => void): Entry => {
  const stopped = new AbortController();
  const listeners = new Set<(text: string) => void>();
  let text = "";
  let isOver = false;
  let joined = 0;
  let forget = nothing;
  const outcome = begun.take({
    signal: stopped.signal,
    onText: (now) => {
      text = now;
      for (const listener of listeners) listener(now);
    },
  });
  const settle = (): void => {
    isOver = true;
    // An answer that reached a client is over. One that reached no client waits for the retry.
    if (joined > 0 || stopped.signal.aborted) leave();
  };
  outcome.then(settle, settle);
  const abandon = (): void => {
    forget();
    forget = clock.after(grace, () => {
      if (isOver) leave();
      else stopped.abort();
    });
  };
  return {
    begun,
    session: begun.session,
    named: begun.named,
    isAbandoned: () => joined === 0,
    stop: async () => {
      forget();
      leave();
      stopped.abort();
      await outcome.catch(() => undefined);
    },
    join: ({ onText, signal }) => {
      forget();
      joined += 1;
      listeners.add(onText);
      if (text !== "") onText(text);
      if (isOver) leave();
      let isHere = true;
      const left = (): void => {
        if (!isHere) return;
        isHere = false;
        joined -= 1;
        listeners.delete(onText);
        if (joined === 0 && !(isOver && stopped.signal.aborted)) abandon();
      };
      signal.addEventListener("abort", left);
      if (signal.aborted) left();
      return outcome;
    },
  };
};

const nothing = (): void => undefined;
