/** Alerts put together: where the operator is told, and what the status page lists. */

import { expect, it, onTestFinished } from "vitest";
import { openAlerts } from "../../../src/features/alerts/open.ts";
import type { ChatSurface } from "../../../src/ports/connection.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { dayBudget } from "../../budgets.ts";
import { openMemory } from "../../store/in-memory.ts";

const CLOCK = { now: () => 5, after: () => () => undefined };
const full = { kind: "disk", free: 5e8 } as const;

type Stored = ReturnType<typeof openMemory>;

const opened = async (surface: Pick<ChatSurface, "off">, store: Stored = openMemory(), tier = "T0") => {
  const told: string[] = [];
  const slack = {
    ...surface,
    name: "slack",
    standing: () => "on",
    tell: async (place: string, { text }: { readonly text: string }) => {
      told.push(`${place}: ${text}`);
      return { kind: "put", message: "1" } as const;
    },
  };
  const core = {
    ...store,
    budgets: dayBudget(store.purse, CLOCK.now),
    clock: CLOCK,
    log: silentLog,
    surfaces: () => [slack],
    host: "one",
    leads: () => true,
    members: () => ["one"],
    away: () => [],
    free: async () => null,
  };
  const alerts = openAlerts(core, { surface: "slack", place: "C1" });
  onTestFinished(() => alerts.close());
  alerts.started(tier);
  alerts.set("disk", full);
  return { alerts, told };
};

it("what lasts is listed with its host, and told in the channel of the setting", async () => {
  const { alerts, told } = await opened({ off: null });
  expect(alerts.open()).toEqual([
    { text: expect.stringMatching(/^one: .* nearly full: 0\.5 GB left/), began: 5 },
  ]);
  await expect.poll(() => told).toEqual([expect.stringMatching(/^C1: one: .* nearly full/)]);
});

it("is listed where the platform of that channel is off", async () => {
  const { alerts, told } = await opened({ off: "SLACK_BOT_TOKEN is not set" });
  expect(alerts.open()).toHaveLength(1);
  expect(told).toEqual([]);
});

it("stores the tier of a start only after a change", async () => {
  const store = openMemory();
  const written: string[] = [];
  const notes = {
    ...store.notes,
    setNote: (key: string, text: string) => {
      written.push(`${key}: ${text}`);
      return store.notes.setNote(key, text);
    },
  };
  for (const tier of ["T0", "T0", "T1"]) {
    const { alerts } = await opened({ off: null }, { ...store, notes }, tier);
    await alerts.close();
  }
  expect(written.filter((line) => line.startsWith("tier"))).toEqual(["tier of one: T0", "tier of one: T1"]);
});
