/** The ports of a store: reading beside the database, writing through the group. */

import type { Store } from "../../ports/store.ts";
import { committed, rowsOf } from "../tables/step-rows.ts";
import type { Parts, Ports } from "./direct.ts";
import type { Group } from "./group.ts";
import type { Job } from "./write-job.ts";
import { attempt, isWrite } from "./write.ts";

/**
 * Members that write are handed over by name, and answer what they answer beside the database, later. The casts only
 * say so: `Direct` holds every table to a writing member for each member of its port that answers with a promise.
 */
const grouped = <Port extends keyof Ports>(parts: Parts, port: Port, group: Group) => {
  const members = Object.entries(parts[port]).map(([name, member]: [string, unknown]) => [
    name,
    isWrite(member) ? (...given: unknown[]) => group.write({ port, name, given } as unknown as Job) : member,
  ]);
  return Object.fromEntries(members) as Ports[Port];
};

export const createGroupedStore = (parts: Parts, group: Group, close: () => Promise<void>): Store => ({
  ...grouped(parts, "store", group),
  commit: async (commit) => {
    const rows = attempt(() => ({ kind: "step", rows: rowsOf(commit) }) as const);
    if (rows.kind === "failed") return rows;
    const stepped = await group.write({ port: "store", name: "step", given: [rows.rows] });
    if (stepped.kind !== "committed" && stepped.kind !== "failed")
      throw new Error("a step was not committed");
    return committed(commit, stepped);
  },
  close,
});

export const createGroupedPorts = (parts: Parts, group: Group, close: () => Promise<void>): Ports => ({
  store: createGroupedStore(parts, group, close),
  ledger: grouped(parts, "ledger", group),
  chat: grouped(parts, "chat", group),
  cursors: grouped(parts, "cursors", group),
  purse: grouped(parts, "purse", group),
  search: grouped(parts, "search", group),
  alerts: grouped(parts, "alerts", group),
  watched: grouped(parts, "watched", group),
  answers: grouped(parts, "answers", group),
  feedback: grouped(parts, "feedback", group),
  digests: grouped(parts, "digests", group),
  fleet: grouped(parts, "fleet", group),
});
