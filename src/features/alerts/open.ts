import type { HostRole } from "../../ports/ownership.ts";
import type { Core } from "../../feature.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { OperatorAlerts } from "../../ports/operator-alerts.ts";
import { createAlerts } from "./alerts.ts";
import { createHealthMonitor } from "./health-monitor.ts";
import { createAlertRows } from "./rows.ts";
import type { OperatorChannel } from "./settings.ts";
import { alertStartedText } from "./text.ts";

interface AlertParts
  extends HostRole,
    Pick<Core, "notes" | "rows" | "budgets" | "clock" | "log" | "away" | "free"> {
  readonly store: Pick<Core["store"], "load" | "waiting">;
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "off" | "standing" | "tell">[];
}

export const openAlerts = (core: AlertParts, channel: OperatorChannel | null): OperatorAlerts => {
  const { surfaces, host, leads, members, notes } = core;
  const among = { host, leads, members };
  const rows = createAlertRows(core.rows, core.log);
  const alerts = createAlerts({
    ...core,
    rows,
    among,
    tell:
      channel === null
        ? null
        : (message) => {
            const surface = surfaces().find(({ name, off }) => name === channel.surface && off === null);
            return surface?.tell(channel.place, message) ?? Promise.resolve(OFF);
          },
  });
  const lookout = createHealthMonitor({
    ...core,
    rows: { ...rows, ...notes },
    alerts,
    among,
    surfaces: () =>
      Object.fromEntries(
        surfaces()
          .filter(({ off }) => off === null)
          .map((one) => [one.name, one.standing()]),
      ),
  });
  let noted: Promise<void> = Promise.resolve();
  return {
    set: alerts.set,
    open: () => alerts.open().map((row) => ({ text: alertStartedText(row), began: row.began })),
    model: lookout.model,
    doors: lookout.doors,
    started: (tier) => {
      noted = lookout.started(tier);
      alerts.start();
      lookout.start();
    },
    close: async () => {
      await noted;
      await Promise.all([lookout.close(), alerts.close()]);
    },
  };
};

const OFF = { kind: "refused", why: "the surface of PARLEY_OPERATOR_CHANNEL is off" } as const;
