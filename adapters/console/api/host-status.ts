/** How the host is, for whoever looks after it: names, ids, numbers and titles. */

import { standingOf } from "../../../src/ports/figures.ts";
import type { ConsoleDeps } from "../deps.ts";
import type { Handler } from "../env.ts";
import type { HostStatusBody } from "../render/host-status-types.ts";

/** Surfaces, sandbox, queues, what was spent today, what waits for approval, disk, memory and version. */
export const hostStatus =
  (deps: ConsoleDeps): Handler =>
  async (c) =>
    c.json(await statusBody(deps));

const statusBody = async (deps: ConsoleDeps): Promise<HostStatusBody> => {
  const { whyOff, budgets, sandbox, model, version } = deps;
  const now = await deps.host();
  const health = deps.health();
  const { renewsAt, standings } = budgets.overview();
  const day = standings.find(({ scope }) => scope === "day");
  const { tier, abi, notice, network, residual } = sandbox;
  const { working, behind, unhandled, database } = now.figures;
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
    spend: {
      todayUsd: (day?.spent ?? 0) / 1_000_000,
      mostUsd: day === undefined || day.most === null ? null : day.most / 1_000_000,
      renewsAt,
    },
    approvals: now.waiting.map((one) => ({ ...waiting(one), kind: one.type, askedAt: one.askedAt })),
    late: now.late.map((one) => ({ ...waiting(one), since: one.since, why: one.why })),
    alerts: now.alerts.map(({ text, began }) => ({ text, began })),
    parkedCheckouts: now.parked,
    hosts: now.hosts.map(({ name, version: its, behind: lacks, seen, ...how }) => ({
      name,
      version: its,
      standing: standingOf(how),
      behind: lacks,
      seen,
    })),
    knowledge: now.knowledge,
    disk:
      now.disk === null
        ? null
        : { freeBytes: now.disk.free, sizeBytes: now.disk.size, databaseBytes: database },
    memory: { residentBytes: now.memory.resident, heapBytes: now.memory.heap },
  };
};

const waiting = (one: {
  readonly conversation: string;
  readonly title: string;
  readonly surface: string;
}) => ({
  conversation: one.conversation,
  title: one.title,
  surface: one.surface,
  link: `/#/c/${one.conversation}`,
});
