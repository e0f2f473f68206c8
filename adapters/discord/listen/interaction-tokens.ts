/**
 * Interaction tokens that still open a private reply. Discord knows no private message in a channel but as the answer to a
 * person's own click or command, within fifteen minutes of it. Owns: the newest token of each person in each channel.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";

export interface InteractionToken {
  readonly application: string;
  readonly token: string;
}

export type InteractionTokens = ReturnType<typeof createInteractionTokens>;

/** A minute less than Discord's, for what is on its way. */
const LIFETIME: Millis = 14 * 60_000;

export const createInteractionTokens = (clock: Pick<Clock, "now">) => {
  const kept = new Map<string, InteractionToken & { readonly until: Millis }>();
  const forget = (): void => {
    for (const [key, { until }] of kept) {
      // In order of age: the first that lives ends the search.
      if (until > clock.now()) return;
      kept.delete(key);
    }
  };
  return {
    keep: (channel: string, person: string, whisper: InteractionToken) => {
      const key = `${channel} ${person}`;
      kept.delete(key);
      kept.set(key, { ...whisper, until: clock.now() + LIFETIME });
      forget();
    },
    find: (channel: string, person: string): InteractionToken | null => {
      forget();
      return kept.get(`${channel} ${person}`) ?? null;
    },
  };
};
