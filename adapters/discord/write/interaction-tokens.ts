/**
 * Interaction tokens that still open a private reply. Discord knows no private message in a channel but as the answer to a
 * person's own click or command, within fifteen minutes of it. Owns: the newest token of each person in each channel.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/remembered.ts";

export interface InteractionToken {
  readonly application: string;
  readonly token: string;
}

export type InteractionTokens = ReturnType<typeof createInteractionTokens>;

/** A minute less than Discord's, for what is on its way. */
const LIFETIME: Millis = 14 * 60_000;

/** Of so many people in channels at most. */
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
