/** Several hosts that share a database and work as one Parley. Without `PARLEY_DATABASE`, this host is alone. */

import { defineFeature } from "../../feature.ts";
import { clusterRules, clusterSettings } from "./settings/settings.ts";
import { tables } from "./tables.ts";

export const cluster = defineFeature({
  name: "cluster",
  settings: clusterSettings,
  rules: clusterRules,
  tables: tables,
  join: async (settings, joining) => {
    if (settings.PARLEY_DATABASE === undefined) return { kind: "alone" };
    const { joinCluster } = await import("./join/join.ts");
    return joinCluster(settings, joining);
  },
  findings: async function* (settings, core) {
    if (settings.PARLEY_DATABASE === undefined) return;
    const { fleetFindings } = await import("./findings.ts");
    yield* fleetFindings(settings, core);
  },
  programs: [
    {
      name: "hosts",
      options: "[--json]",
      does: "list the hosts that share PARLEY_DATABASE, with conversations and replica position",
      accepts: (args) => args.every((arg) => arg === "--json"),
      run: async (...given) => (await import("./programs/hosts.ts")).hostsProgram(...given),
    },
    {
      name: "drain",
      options: "HOST",
      does: "move all work of a host to the other hosts",
      hint: "parley hosts lists the hosts",
      accepts: (args) => isNamed(args, 1),
      run: async (...given) => (await import("./programs/drain.ts")).drainProgram(...given),
    },
    {
      name: "move",
      options: "CONVERSATION HOST",
      does: "move a conversation to another host",
      hint: "parley hosts lists the hosts",
      accepts: (args) => isNamed(args, 2) && args[0]?.startsWith("c-") === true,
      run: async (...given) => (await import("./programs/move.ts")).moveProgram(...given),
    },
    {
      name: "import",
      options: "DIR",
      does: "copy the data directory of a single host into an empty PARLEY_DATABASE",
      hint: "the data directory of a stopped Parley",
      accepts: (args) => isNamed(args, 1),
      run: async (...given) => (await import("./programs/import.ts")).importProgram(...given),
    },
  ],
});

const isNamed = (args: readonly string[], count: number): boolean =>
  args.length === count && args.every((arg) => !arg.startsWith("-"));
