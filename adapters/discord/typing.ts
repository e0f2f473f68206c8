/** "Parley is typing", renewed while work is shown. Discord takes it away after ten seconds. A courtesy: never an error. */

import type { Millis } from "../../src/core/id.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { Calls } from "./rest.ts";

export interface Typing {
  /** Settles whether or not Discord took it. */
  show(channel: string): Promise<void>;
}

const RENEW: Millis = 8_000;

export const createTyping = ({
  calls,
  clock,
}: {
  readonly calls: Calls;
  readonly clock: Pick<Clock, "now">;
}): Typing => {
  /** When it was last shown, oldest first. */
  const shown = new Map<string, Millis>();
  const forget = (): void => {
    for (const [channel, at] of shown) {
      if (clock.now() - at < RENEW) return;
      shown.delete(channel);
    }
  };
  return {
    show: async (channel) => {
      forget();
      if (shown.has(channel)) return;
      shown.set(channel, clock.now());
      await calls.call("POST", `/channels/${channel}/typing`).catch(() => undefined);
    },
  };
};
