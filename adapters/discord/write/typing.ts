/**
 * "Parley is typing", from the first status of a turn until its answer or its end. Discord takes it away after ten seconds,
 * so it is renewed until then. A courtesy: never an error, and given up where Discord does not take it.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { DiscordCalls } from "../api/calls.ts";

export type Typing = ReturnType<typeof createTyping>;

const RENEW: Millis = 8_000;
/** A turn that shows no other sign of life for so long is not announced any further. */
const LONGEST: Millis = 10 * 60_000;

export const createTyping = ({ calls, clock }: { readonly calls: DiscordCalls; readonly clock: Clock }) => {
  /** The renewal that is due next, and until when there is another. */
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
    /** Work is shown in the channel; settles whether or not Discord took the first one. */
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
