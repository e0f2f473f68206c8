/**
 * Interaction tokens that still permit a private reply. Discord allows a private message in a channel only as
 * the reply to a person's click or command, within fifteen minutes. Owns: the newest token of each person in
 * each channel.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";

export interface InteractionToken {
  readonly application: string;
  readonly token: string;
}

export type InteractionTokens = ReturnType<typeof createInteractionTokens>;

/** A minute less than Discord's limit, for calls in progress. */
const LIFETIME: Millis = 14 * 60_000;

const REMEMBERED = 20_000;

export const createInteractionTokens = (clock: Pick<Clock, "now">) => {
  const kept = createLruCache<InteractionToken & { readonly until: Millis }>(REMEMBERED);
  return {
    keep: (channel: string, person: string, whisper: InteractionToken) =>
      kept.set(`${channel} ${person}`, { ...whisper, until: clock.now() + LIFETIME }),
    find: (channel: string, person: string): InteractionToken | null => {
      const found = kept.get(`${channel} ${person}`);
      return found === undefined || found.until <= clock.now() ? null : found;
    },
  };
};
