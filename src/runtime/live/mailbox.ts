/** What goes into a conversation's mailbox, and the mailbox. */

import type { EventKind } from "../../machine/event.ts";
import type { PersonId } from "../../machine/id.ts";
import type { Refusal } from "../../machine/refusal.ts";
import type { ClaimKey } from "../../ports/claims.ts";
import type { Erasure } from "../../ports/erasure.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Commit } from "../../ports/store.ts";

/** An event that has happened, the words it brought, and who wants to know. */
export interface DeliveredEvent {
  readonly event: EventKind;
  readonly words: Commit["words"];
  readonly actor: PersonId | null;
  readonly claim: ClaimKey | null;
  /** What is taken back, looked up when its turn has come: words may arrive while it waits. */
  readonly erasure?: () => Erasure | null;
  /** Null for outcomes of effects: they are kept until the disk takes them, never dropped. */
  readonly settle: ((settled: DeliveryResult) => void) | null;
}

export type DeliveryResult =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly why: Refusal }
  | WriteFailure;

/** An event of the host itself or the outcome of an effect. */
export const deliveredEvent = (event: EventKind, words: Commit["words"] = []): DeliveredEvent => ({
  event,
  words,
  actor: null,
  claim: null,
  settle: null,
});

/** Posts an event of a person; settles after its commit or refusal. */
export const askConversation = (
  live: { post(delivery: DeliveredEvent): void },
  event: EventKind,
  actor: PersonId,
  { words = [], claim = null, ...more }: Partial<Pick<DeliveredEvent, "words" | "claim" | "erasure">> = {},
): Promise<DeliveryResult> => {
  const { promise, resolve } = Promise.withResolvers<DeliveryResult>();
  live.post({ event, words, actor, claim, settle: resolve, ...more });
  return promise;
};

export type Lane = "stop" | "normal";

/**
 * One item at a time, in order, never re-entrant; what a person says to stop overtakes everything that waits (BED-005.3).
 * Items of one tick are seen together, so a stop beats a completion that arrived with it. The next item is taken when
 * `handle` has settled; it must not throw or reject.
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
    /** Settles when that is so. */
    drained: async (): Promise<void> => {
      if (busy) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
  };
};
