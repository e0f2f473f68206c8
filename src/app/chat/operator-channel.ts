/** What the operator is told, put together: what is looked at, where it is told, and what the status page shows. */

import type { AlertRows } from "../../ports/alerts.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { FleetRows } from "../../ports/cluster/fleet.ts";
import type { Log } from "../../ports/host.ts";
import { type Alerts, type Among, createAlerts } from "../../runtime/alerts/alerts.ts";
import { createLookout, type Lookout, type LookoutDeps } from "../../runtime/alerts/lookout.ts";
import { diskOf } from "../host-status.ts";
import type { Config } from "../settings/config.ts";

interface OperatorParts
  extends Pick<LookoutDeps, "store" | "budgets" | "clock">,
    Pick<Among, "host" | "leads"> {
  readonly rows: AlertRows;
  readonly fleet: Pick<FleetRows, "members">;
  readonly log: Log;
  /** Asked once they are made. */
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "off" | "standing" | "tell">[];
}

export interface Operator
  extends Pick<Alerts, "open" | "set">,
    Pick<Lookout, "model" | "doors" | "fault" | "away"> {
  start(tier: string): Promise<void>;
  close(): Promise<void>;
}

export const createOperator = (config: Config, parts: OperatorParts): Operator => {
  const { surfaces, host, leads } = parts;
  const among = { host, leads, members: parts.fleet.members };
  const channel = operatorChannelOf(config);
  const alerts = createAlerts({
    ...parts,
    among,
    tell:
      channel === null
        ? null
        : (message) =>
            surfaces()
              .find((one) => one.name === channel.surface)
              ?.tell(channel.place, message) ?? Promise.resolve(OFF),
  });
  const lookout = createLookout({
    ...parts,
    alerts,
    among,
    free: async () => (await diskOf(config.PARLEY_DATA))?.free ?? null,
    surfaces: () =>
      Object.fromEntries(
        surfaces()
          .filter(({ off }) => off === null)
          .map((one) => [one.name, one.standing()]),
      ),
  });
  return {
    ...lookout,
    open: alerts.open,
    set: alerts.set,
    start: async (tier) => {
      await lookout.started(tier);
      alerts.start();
      lookout.start();
    },
    close: async () => {
      await Promise.all([lookout.close(), alerts.close()]);
    },
  };
};

const OFF = { kind: "refused", why: "the surface of PARLEY_OPERATOR_CHANNEL is off" } as const;

/** The channel of PARLEY_OPERATOR_CHANNEL; null if unset. */
export const operatorChannelOf = ({
  PARLEY_OPERATOR_CHANNEL: channel,
}: Pick<Config, "PARLEY_OPERATOR_CHANNEL">): { readonly surface: string; readonly place: string } | null => {
  const [surface, place] = channel?.split(":") ?? [];
  return surface === undefined || place === undefined ? null : { surface, place };
};
