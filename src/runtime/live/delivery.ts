/** What goes into a mailbox: an event that has happened, the words it brought, and who wants to know. */

import type { EventKind } from "../../machine/event.ts";
import type { PersonId } from "../../machine/id.ts";
import type { Refusal } from "../../machine/refusal.ts";
import type { ClaimKey } from "../../ports/claims.ts";
import type { Erasure } from "../../ports/erasure.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Commit } from "../../ports/store.ts";

export interface Delivery {
  readonly event: EventKind;
  readonly words: Commit["words"];
  readonly actor: PersonId | null;
  readonly claim: ClaimKey | null;
  /** What is taken back, looked up when its turn has come: words may arrive while it waits. */
  readonly erasure?: () => Erasure | null;
  /** Null for outcomes of effects: they are kept until the disk takes them, never dropped. */
  readonly settle: ((settled: Settled) => void) | null;
}

export type Settled =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly why: Refusal }
  | WriteFailure;

/** An event of the host itself or the outcome of an effect. */
export const outcome = (event: EventKind, words: Commit["words"] = []): Delivery => ({
  event,
  words,
  actor: null,
  claim: null,
  settle: null,
});

/** Posts an event of a person; settles after its commit or refusal. */
export const ask = (
  live: { post(delivery: Delivery): void },
  event: EventKind,
  actor: PersonId,
  { words = [], claim = null, ...more }: Partial<Pick<Delivery, "words" | "claim" | "erasure">> = {},
): Promise<Settled> => {
  const { promise, resolve } = Promise.withResolvers<Settled>();
  live.post({ event, words, actor, claim, settle: resolve, ...more });
  return promise;
};
