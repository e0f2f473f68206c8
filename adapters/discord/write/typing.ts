/**
 * Displays "Parley is typing" from the first status of a turn until its answer or its end. Discord removes
 * the status after ten seconds, so it is renewed. Errors are ignored, and the renewals then stop.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { DiscordCalls } from "../api/calls.ts";

export type Typing = ReturnType<typeof createTyping>;

const RENEW: Millis = 8_000;
/** Time without news of a turn after which the turn is no longer displayed. */
const LONGEST: Millis = 10 * 60_000;

export const createTyping = ({ calls, clock }: { readonly calls: DiscordCalls; readonly clock: Clock }) => {
  /** The next renewal of each channel, and the time of the last one. */
  const shown = new Map<string, { readonly cancel: () => void; readonly until: Millis }>();

  const renew = async (channel: string): Promise<void> => {
    const taken = await calls.call("POST", `/channels/${channel}/typing`).then(
      () => true,
      () => false,
    );
    const known = shown.get(channel);
    if (known === undefined) return;
    if (!taken || clock.now() >= known.until) shown.delete(channel);
    else shown.set(channel, { ...known, cancel: clock.after(RENEW, () => void renew(channel)) });
  };

  return {
    /**
     * Displays the status in the channel. Resolves after the first call, whether or not Discord accepted it.
     */
    show: async (channel: string) => {
      const known = shown.get(channel);
      const until = clock.now() + LONGEST;
      shown.set(channel, { cancel: known?.cancel ?? nothing, until });
      if (known === undefined) await renew(channel);
    },
    stop: (channel: string) => {
      shown.get(channel)?.cancel();
      shown.delete(channel);
    },
  };
};

const nothing = (): void => undefined;
