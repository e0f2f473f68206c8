import type { Tables } from "../../ports/tables.ts";

const hosts: Tables = {
  heard: ["homes", "members"],
  tables: {
    members: { kept: { "hosts and their starts": ["name", "instance", "joined"] } },
    homes: { conversation: ["home", "host"] },
  },
  erase: {
    person: { kind: "kept", why: "hosts and conversations alone" },
    conversation: { kind: "hidden", sql: ["DELETE FROM homes WHERE home = ?"] },
  },
};

export const tables: readonly Tables[] = [hosts];
