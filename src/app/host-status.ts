import { statfs } from "node:fs/promises";
import type { Figures, HostFigures, HostStatus, LateThread } from "../ports/figures.ts";
import type { OperatorAlerts } from "../ports/operator-alerts.ts";
import type { Store } from "../ports/store.ts";
import type { CountedSlots } from "../runtime/live/slots.ts";

interface HostStatusDeps extends Pick<HostFigures, "parked" | "knowledge" | "hosts"> {
  readonly startedAt: number;
  readonly directory: string;
  readonly store: Pick<Store, "waiting" | "load">;
  readonly figures: () => Figures;
  readonly alerts: OperatorAlerts["open"];
  readonly late: () => readonly LateThread[];
  readonly slots: { readonly model: CountedSlots; readonly tools: CountedSlots };
}

export const createHostStatus =
  ({ startedAt, directory, store, figures, alerts, late, parked, knowledge, slots, hosts }: HostStatusDeps) =>
  async (): Promise<HostStatus> => {
    const { rss, heapUsed } = process.memoryUsage();
    return {
      startedAt,
      figures: figures(),
      alerts: alerts(),
      slots: { model: slots.model.load(), tools: slots.tools.load() },
      waiting: store
        .waiting()
        .map((question) => ({ ...question, ...namesOf(store.load(question.conversation)) })),
      late: late().map((one) => ({ ...one, ...namesOf(store.load(one.conversation)) })),
      parked: parked(),
      knowledge: knowledge(),
      hosts: await hosts(),
      disk: await diskOf(directory),
      memory: { residentBytes: rss, heapBytes: heapUsed },
    };
  };

const namesOf = (stored: ReturnType<Store["load"]>) => ({
  title: stored?.conversation.title ?? "",
  surface: stored?.conversation.surface ?? "",
});

/** Null if the file system does not report its space. */
export const diskOf = async (directory: string): Promise<HostStatus["disk"]> => {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
};
