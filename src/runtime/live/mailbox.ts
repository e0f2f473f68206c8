import type { EventKind } from "../../machine/event.ts";
import type { PersonId } from "../../machine/id.ts";
import type { Refusal } from "../../machine/refusal.ts";
import type { Claim, ClaimKey } from "../../ports/claims.ts";
import type { Erasure } from "../../ports/erasure.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Commit } from "../../ports/store.ts";

export interface DeliveredEvent {
  readonly event: EventKind;
  readonly words: Commit["words"];
  readonly actor: PersonId | null;
  readonly claim: ClaimKey | null;
  /** Claim that is stored if the event is accepted. */
  readonly version?: Claim;
  /** Computes the erasure when the event is processed: more words may arrive while it waits. */
  readonly erasure?: () => Erasure | null;
  /** Null for outcomes of effects, which are kept until the disk accepts them. */
  readonly settle: ((settled: DeliveryResult) => void) | null;
}

export type DeliveryResult =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly why: Refusal }
  | WriteFailure;

export const deliveredEvent = (event: EventKind, words: Commit["words"] = []): DeliveredEvent => ({
  event,
  words,
  actor: null,
  claim: null,
  settle: null,
});

/** Resolves after the event's commit or refusal. */
export const askConversation = (
  live: { post(delivery: DeliveredEvent): void },
  event: EventKind,
  actor: PersonId,
  {
    words = [],
    claim = null,
    ...more
  }: Partial<Pick<DeliveredEvent, "words" | "claim" | "version" | "erasure">> = {},
): Promise<DeliveryResult> => {
  const { promise, resolve } = Promise.withResolvers<DeliveryResult>();
  live.post({ event, words, actor, claim, settle: resolve, ...more });
  return promise;
};

export type Lane = "stop" | "normal";

/**
 * Handles one item at a time, never re-entrant; stop requests overtake everything that waits (BED-005.3). Items of one tick are
 * queued before the first is handled, so a stop beats a completion that arrived with it. `handle` must not throw or reject.
 */
export const createMailbox = (handle: (delivery: DeliveredEvent) => Promise<void>) => {
  const stops: DeliveredEvent[] = [];
  const items: DeliveredEvent[] = [];
  const waiting: (() => void)[] = [];
  let busy = false;

  const drain = async (): Promise<void> => {
    for (let item = next(); item !== undefined; item = next()) await handle(item);
    busy = false;
    for (const settle of waiting.splice(0)) settle();
  };

  const next = (): DeliveredEvent | undefined => stops.shift() ?? items.shift();

  return {
    post: (item: DeliveredEvent, lane: Lane): void => {
      (lane === "stop" ? stops : items).push(item);
      if (busy) return;
      busy = true;
      queueMicrotask(() => void drain());
    },
    empty: (): boolean => !busy,
    drained: async (): Promise<void> => {
      if (busy) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
  };
};
