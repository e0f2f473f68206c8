/**
 * Interactions: one answer within three seconds, then a token for fifteen minutes (hazard G6).
 *
 * I1 The first callback decides; a second one is 40060, one that comes too late is 10062.
 * I2 The token opens the webhook routes once the interaction is answered, and no longer than its life.
 */

import { randomBytes } from "node:crypto";
import type { FakeClock } from "../shared/clock.ts";
import type { Times } from "./discord.ts";
import type { Ids } from "./ids.ts";
import type { Json } from "./world.ts";

/** How it ended for the person who acted. */
export type InteractionEnd =
  | { readonly kind: "replied"; readonly message: string; readonly ephemeral: boolean }
  /** "… is thinking". */
  | { readonly kind: "deferred"; readonly message: string; readonly ephemeral: boolean }
  /** The message stays, a change may follow. */
  | { readonly kind: "deferredUpdate" }
  | { readonly kind: "updated" }
  | { readonly kind: "modal"; readonly modal: Json }
  | { readonly kind: "choices"; readonly choices: readonly unknown[] }
  /** "The application did not respond". */
  | { readonly kind: "failed" };

export interface Interaction {
  readonly id: string;
  readonly token: string;
  /** 2 command, 3 component, 5 modal. */
  readonly type: number;
  readonly user: string;
  readonly channel: string;
  /** The message that a component sits on; null for commands. */
  readonly message: string | null;
  readonly at: number;
  /** Settles with the answer, or `failed` when none came in time. */
  readonly ended: Promise<InteractionEnd>;
  /** Settles with the words that answer it at last: those that take the place of "is thinking", too. */
  readonly told: Promise<string>;
}

export interface Live extends Interaction {
  /** The first message that answers it: `@original`. */
  original: string | null;
  answer: InteractionEnd | null;
}

export interface Interactions {
  open(details: Omit<Interaction, "id" | "token" | "at" | "ended" | "told">): Live;
  byId(id: string): Live | undefined;
  byToken(token: string): Live | undefined;
  answer(live: Live, end: InteractionEnd): void;
  /** The words that the person reads in the end. */
  tell(live: Live, words: string): void;
  isExpired(live: Live): boolean;
  readonly all: readonly Interaction[];
}

export const createInteractions = (clock: FakeClock, times: Times, ids: Ids): Interactions => {
  const all: (Live & Ends)[] = [];
  return {
    open: (details) => {
      const ended = Promise.withResolvers<InteractionEnd>();
      const told = Promise.withResolvers<string>();
      const live: Live & Ends = {
        ...details,
        id: ids.nextId(),
        token: `aW50ZXJhY3Rpb24${randomBytes(32).toString("base64url")}`,
        at: clock.now(),
        ended: ended.promise,
        told: told.promise,
        end: ended.resolve,
        tell: told.resolve,
        original: null,
        answer: null,
      };
      all.push(live);
      clock.after(times.interactionAckMs, () => {
        ended.resolve({ kind: "failed" });
        if (live.answer === null) told.resolve("The application did not respond");
      });
      return live;
    },
    byId: (id) => all.find((one) => one.id === id),
    byToken: (token) => all.find((one) => one.token === token),
    answer: (live, end) => {
      live.answer = end;
      all.find((one) => one === live)?.end(end);
    },
    tell: (live, words) => all.find((one) => one === live)?.tell(words),
    isExpired: ({ at, answer }) =>
      clock.now() - at > (answer === null ? times.interactionAckMs : times.interactionTokenMs),
    all,
  };
};

interface Ends {
  readonly end: (how: InteractionEnd) => void;
  readonly tell: (words: string) => void;
}
