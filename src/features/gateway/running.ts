/**
 * Running turns. Proxies close silent connections, and clients then repeat the request; the repeated request joins the running
 * turn. A turn without a client is stopped after a grace period, in which a retry can still join.
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
  /** Resolves with the result of the turn. `onText` receives the whole text so far, immediately if some text exists. */
  join(hooks: TurnHooks): Promise<CompletionOutcome>;
}

interface Begun {
  readonly session: string;
  readonly conversation: ConversationId;
  readonly named: CompletionHead;
  /** Hash of the request; the same for a retry. */
  readonly digest: string;
  readonly take: (hooks: TurnHooks) => Promise<CompletionOutcome>;
}

interface Entry extends RunningTurn {
  readonly begun: Begun;
  readonly isAbandoned: () => boolean;
  /** Stops the turn, and resolves when the turn has ended. */
  readonly stop: () => Promise<void>;
}

/** `grace`: time that a turn continues after its last client left. */
export const createGatewayTurns = (clock: Pick<Clock, "after">, grace: Millis) => {
  const entries = new Set<Entry>();
  return {
    /**
     * Returns the turn that the request repeats; null if the request repeats none. Without a session (`null`), equal requests
     * of two clients are different. A match is then a retry only if the turn has no client or the request is marked as a retry.
     */
    repeated: (session: string | null, digest: string, isRetry: boolean): RunningTurn | null => {
      const isSame = (one: Entry): boolean =>
        one.begun.digest === digest &&
        (session === null ? isRetry || one.isAbandoned() : one.session === session);
      return [...entries].find(isSame) ?? null;
    },
    /** Stops a turn of the conversation without a client, so that the conversation can accept another message. */
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
    // A result that reached a client is removed immediately. Any other result waits for a retry.
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
