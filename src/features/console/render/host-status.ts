/**
 * Data of the status page: names, ids, numbers and titles of this host and, in a cluster, of the other hosts.
 * Pure.
 */

import { type HostStatus, hostStatusLabel } from "../../../ports/figures.ts";
import type { BudgetBook } from "../../../ports/money.ts";
import type { About } from "./api-types.ts";

interface Facts extends Pick<About, "model" | "version">, ReturnType<BudgetBook["overview"]> {
  readonly sandbox: About["sandbox"] & { readonly network: string; readonly residual: readonly string[] };
  readonly whyOff: Readonly<Record<string, string | null>>;
}

export type HostStatusBody = ReturnType<typeof hostStatusBody>;

/** `health`: state of each surface. */
export const hostStatusBody = (
  now: HostStatus,
  health: { readonly status: string; readonly surfaces: Readonly<Record<string, string>> },
  facts: Facts,
) => {
  const { whyOff, sandbox, model, version, renewsAt, standings } = facts;
  const { tier, abi, notice, network, residual } = sandbox;
  const { working, behind, unhandled, database } = now.figures;
  const day = standings.find(({ scope }) => scope === "day");
  return {
    status: health.status,
    version,
    startedAt: now.startedAt,
    surfaces: Object.fromEntries(
      Object.entries(health.surfaces).map(([name, standing]) => {
        const why = whyOff[name] ?? null;
        return [name, standing === "off" && why !== null ? `off (${why})` : standing];
      }),
    ),
    sandbox: { tier, abi, notice, network, residual },
    model,
    queues: { working, modelCalls: now.slots.model, toolProcesses: now.slots.tools, behind, unhandled },
    /** Null if no spending is counted. */
    spend:
      day === undefined
        ? null
        : {
            todayUsd: day.spent / 1_000_000,
            mostUsd: day.most === null ? null : day.most / 1_000_000,
            renewsAt,
          },
    approvals: now.waiting.map((one) => ({ ...waiting(one), kind: one.type, askedAt: one.askedAt })),
    /** Threads that do not show all stored posts yet. */
    late: now.late.map((one) => ({ ...waiting(one), since: one.since, why: one.why })),
    alerts: now.alerts,
    parkedCheckouts: now.parked,
    /** Hosts that share the database. `behind`: changes that the replica of the host lacks. */
    hosts: now.hosts.map(({ name, version: its, behind: lacks, seen, ...how }) => ({
      name,
      version: its,
      standing: hostStatusLabel(how),
      behind: lacks,
      seen,
    })),
    knowledge: now.knowledge,
    /** Null if unknown. */
    disk:
      now.disk === null
        ? null
        : { freeBytes: now.disk.free, sizeBytes: now.disk.size, databaseBytes: database },
    memory: now.memory,
  };
};

const waiting = (one: Readonly<Record<"conversation" | "title" | "surface", string>>) => ({
  conversation: one.conversation,
  title: one.title,
  surface: one.surface,
  link: `/#/c/${one.conversation}`,
});
