/** Several hosts: each tells what is wrong with it, by name; the one that leads, what is wrong with all, and what others left. */

import { expect, it, onTestFinished } from "vitest";
import type { PutResult } from "../../../src/ports/chat-platform.ts";
import { createAlerts } from "../../../src/features/alerts/alerts.ts";
import { createHealthMonitor } from "../../../src/features/alerts/health-monitor.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { dayBudget } from "../../budgets.ts";
import { openMemory } from "../../store/in-memory.ts";
import { memberRows } from "../../store/member-rows.ts";
import { createAway } from "../../../src/runtime/chat/away.ts";
import { rowsOf } from "./rows.ts";

const NINE = Date.UTC(2026, 10, 22, 9);
const model = { kind: "model", why: "auth" } as const;

/** All that was to be told has been. */
const settle = async (): Promise<void> => {
  for (let no = 0; no < 30; no += 1) await new Promise(setImmediate);
};

const openFleet = () => {
  const opened = openMemory();
  const { purse } = opened;
  const fleet = memberRows(opened.rows);
  const rows = rowsOf(opened);
  const clock = { now: () => NINE, after: () => () => undefined };
  const told: string[] = [];
  const ids = new Set<string>();
  const state = { isRefused: false };
  let starts = 0;
  const join = async (host: string | null, tier = "T0") => {
    const instance = `start ${starts++}`;
    if (host !== null) await fleet.join(host, instance);
    const leads = (): boolean => host === null || fleet.members()[0] === host;
    const among = { host, leads, members: fleet.members };
    const free = { bytes: 50e9 };
    const surface = { standing: "on" };
    const surfaces = () => ({ slack: surface.standing });
    const alerts = createAlerts({
      rows,
      clock,
      log: silentLog,
      among,
      tell: ({ id, text }): Promise<PutResult> => {
        if (state.isRefused) return Promise.resolve({ kind: "refused", why: "away" });
        // As a channel has it: told once.
        if (!ids.has(id)) told.push(text);
        ids.add(id);
        return Promise.resolve({ kind: "put", message: "1" });
      },
    });
    const lookout = createHealthMonitor({
      alerts,
      among,
      rows,
      store: opened.store,
      budgets: dayBudget(purse, clock.now),
      clock,
      free: () => Promise.resolve(free.bytes),
      surfaces,
      away: createAway(clock.now, surfaces),
    });
    onTestFinished(() => alerts.close());
    await lookout.started(tier);
    alerts.start();
    const look = async (): Promise<void> => {
      await lookout.look();
      await settle();
    };
    const die = async (): Promise<void> => {
      await alerts.close();
      if (host !== null) await fleet.leave(host, instance);
    };
    return { alerts, free, surface, look, die };
  };
  return { join, told, state, purse, rows };
};

it("what is wrong with two hosts is told of each by name, and is over for each by itself", async () => {
  const { join, told, rows } = openFleet();
  const [one, two] = [await join("one"), await join("two")];
  one.free.bytes = 0.9e9;
  two.free.bytes = 0.8e9;
  await one.look();
  await two.look();
  expect(told).toEqual([
    expect.stringMatching(/^one: The disk of the data directory is nearly full: 0\.9 GB/),
    expect.stringMatching(/^two: The disk of the data directory is nearly full: 0\.8 GB/),
  ]);
  for (const { alerts } of [one, two])
    expect(alerts.open().map(({ host }) => host)).toEqual(expect.arrayContaining(["one", "two"]));
  two.free.bytes = 2e9;
  await two.look();
  expect(told.slice(2)).toEqual(["two: The disk of the data directory has enough space again."]);
  expect(rows.alerts()).toMatchObject([{ key: "disk", host: "one" }]);
});

it("what is wrong with all of them is told once, by the one that leads, without a name; its successor tells that it is over", async () => {
  const { join, told, purse } = openFleet();
  const [one, two] = [await join("one"), await join("two")];
  await purse.spend("2026-11-22", ["day"], 41_000_000);
  for (const host of [one, two]) host.surface.standing = "off: token_revoked.";
  for (const host of [two, two]) await host.look();
  expect(told).toEqual([]);
  for (const host of [one, one, two]) await host.look();
  expect(told).toEqual(["80 % of the day's budget of $50.00 is spent.", "Slack is off: token_revoked."]);
  await one.die();
  await two.look();
  expect(told).toHaveLength(2);
  two.surface.standing = "on";
  await two.look();
  expect(told.slice(2)).toEqual(["Slack works again."]);
});

it("what a host has left is told and ended by the one that leads, once the host is gone at two looks", async () => {
  const { join, told, state, rows } = openFleet();
  const [one, two] = [await join("one"), await join("two")];
  state.isRefused = true;
  two.alerts.set("model", model);
  await settle();
  await two.die();
  state.isRefused = false;
  expect(told).toEqual([]);
  await one.look();
  expect(told).toEqual(["two: The model's provider refuses the key: check ANTHROPIC_API_KEY."]);
  await one.look();
  expect(told.slice(1)).toEqual([expect.stringMatching(/^two: This host has left the cluster, .* the key/)]);
  expect(rows.alerts()).toEqual([]);
});

it("a host that is back by then goes on with what it had, and ends it itself", async () => {
  const { join, told, rows } = openFleet();
  const [one, two] = [await join("one"), await join("two")];
  two.alerts.set("model", model);
  await settle();
  await two.die();
  await one.look();
  const again = await join("two");
  await one.look();
  await one.look();
  expect(told).toHaveLength(1);
  expect(again.alerts.own()).toMatchObject([{ key: "model", host: "two", told: "began" }]);
  again.alerts.set("model", null);
  await settle();
  expect(told.slice(1)).toEqual(["two: The model answers again."]);
  await one.look();
  expect([one.alerts.open(), rows.alerts()]).toEqual([[], []]);
});

it("a host whose sandbox holds less is named; another one that never held more is no news", async () => {
  const { join, told } = openFleet();
  const one = await join("one");
  await join("two", "T3");
  await one.die();
  await join("one", "T3");
  await settle();
  expect(told).toEqual([
    expect.stringMatching(/^one: The sandbox is weaker than before: tier T3, previously T0\./),
  ]);
});

it("what was told of a host that was alone, or one of several, ends where it is not so any more", async () => {
  const { join, told, rows } = openFleet();
  const alone = await join(null);
  alone.free.bytes = 0.9e9;
  await alone.look();
  expect(told).toEqual([expect.stringMatching(/^The disk of the data directory is nearly full/)]);
  await alone.die();
  const one = await join("one");
  one.free.bytes = 0.9e9;
  for (const host of [one, one]) await host.look();
  expect(rows.alerts()).toMatchObject([{ key: "disk", host: "one" }]);
  await one.die();
  const back = await join(null);
  for (const host of [back, back]) await host.look();
  expect(rows.alerts()).toEqual([]);
});
