/** How the host is, for whoever looks after it: names, ids, numbers and titles. */

import type { BudgetBook } from "../../../src/ports/money.ts";
import type { HostStatus } from "../../../src/ports/figures.ts";
import type { ConsoleDeps, Health, ModelNote, SandboxNote } from "../deps.ts";
import type { Handler } from "../env.ts";

/** Surfaces, sandbox, queues, what was spent today, what waits for approval, disk, memory and version. */
export const hostStatus =
  ({ host, health, whyOff, budgets, sandbox, model, version }: ConsoleDeps): Handler =>
  async (c) => {
    const now = await host();
    c.header("cache-control", "no-store");
    return c.json(statusBody(now, { health: health(), whyOff, budgets, sandbox, model, version }));
  };

interface Around {
  readonly health: Health;
  readonly whyOff: ConsoleDeps["whyOff"];
  readonly budgets: BudgetBook;
  readonly sandbox: SandboxNote;
  readonly model: ModelNote;
  readonly version: string;
}

const statusBody = (now: HostStatus, { health, whyOff, budgets, sandbox, model, version }: Around) => {
  const { renewsAt, standings } = budgets.overview();
  const day = standings.find(({ scope }) => scope === "day");
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
    sandbox: {
      tier: sandbox.tier,
      abi: sandbox.abi,
      notice: sandbox.notice,
      network: sandbox.network,
      residual: sandbox.residual,
    },
    model,
    queues: { working, modelCalls: now.slots.model, toolProcesses: now.slots.tools, behind, unhandled },
    spend: {
      todayUsd: (day?.spent ?? 0) / 1_000_000,
      mostUsd: day === undefined || day.most === null ? null : day.most / 1_000_000,
      renewsAt,
    },
    approvals: now.waiting.map(({ conversation, title, surface, type, askedAt }) => ({
      conversation,
      title,
      surface,
      kind: type,
      askedAt,
      link: `/#/c/${conversation}`,
    })),
    late: now.late.map(({ conversation, title, surface, since, why }) => ({
      conversation,
      title,
      surface,
      since,
      why,
      link: `/#/c/${conversation}`,
    })),
    alerts: now.alerts.map(({ text, began }) => ({ text, began })),
    parkedCheckouts: now.parked,
    disk:
      now.disk === null
        ? null
        : { freeBytes: now.disk.free, sizeBytes: now.disk.size, databaseBytes: database },
    memory: { residentBytes: now.memory.resident, heapBytes: now.memory.heap },
  };
};
