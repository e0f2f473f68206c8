import { defineFeature } from "../../feature.ts";
import { alertSettings, operatorChannelOf } from "./settings.ts";
import { tables } from "./tables.ts";

export const alerts = defineFeature({
  name: "alerts",
  settings: alertSettings,
  tables: tables,
  open: async (settings, core) => {
    const { openAlerts } = await import("./open.ts");
    return { alerts: openAlerts(core, operatorChannelOf(settings)) };
  },
  tellsIn: (settings) => {
    const channel = operatorChannelOf(settings);
    return channel === null ? [] : [{ ...channel, setting: "PARLEY_OPERATOR_CHANNEL" }];
  },
});
