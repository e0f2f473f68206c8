/** Whoever looks after the host is told of each thing once when it begins and once when it is over, whatever restarts. */

import { expect, it } from "vitest";
import type { AlertRows } from "../../../src/features/alerts/ports.ts";
import type { PutResult } from "../../../src/ports/chat-platform.ts";
import type { GitProxy, ForgeRefusal } from "../../../src/ports/forge.ts";
import type { Model, ModelOutcome } from "../../../src/ports/model.ts";
import { type Alerts, createAlerts } from "../../../src/features/alerts/alerts.ts";
import { createHealthMonitor, LONG_OUTAGE } from "../../../src/features/alerts/health-monitor.ts";
import { createAway } from "../../../src/runtime/chat/away.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { asked, beginIn, commitOf, takeIn } from "../../store/plain.ts";
import { dayBudget } from "../../budgets.ts";
import { openMemory } from "../../store/in-memory.ts";
import { rowsOf } from "./rows.ts";

const ALONE = { host: null, leads: () => true, members: () => [] };
const DAY_ONE = Date.UTC(2026, 10, 22, 9);

/** All that was to be told has been, or was refused. */
const settle = async (): Promise<void> => {
  for (let no = 0; no < 30; no += 1) await new Promise(setImmediate);
};

const world = () => {
  const opened = openMemory();
  const stored = rowsOf(opened);
  let now = DAY_ONE;
  let timers: (() => void)[] = [];
  const clock = {
    now: () => now,
    after: (_delay: number, fire: () => void) => {
      timers.push(fire);
      return () => {
        timers = timers.filter((one) => one !== fire);
      };
    },
  };
  const told: string[] = [];
  const ids: string[] = [];
  let answer: PutResult = { kind: "put", message: "1" };
  const boot = (rows: AlertRows = stored) => {
    const alerts = createAlerts({
      among: ALONE,
      rows,
      clock,
      log: silentLog,
      tell: ({ id, text }) => {
        if (answer.kind === "put") {
          told.push(text);
          ids.push(id);
        }
        return Promise.resolve(answer);
      },
    });
    alerts.start();
    return alerts;
  };
  return {
    opened,
    stored,
    clock,
    told,
    ids,
    boot,
    go: (by: number) => {
      now += by;
    },
    refuse: (why: string | null) => {
      answer = why === null ? { kind: "put", message: "1" } : { kind: "refused", why };
    },
    fire: () => {
      const due = timers;
      timers = [];
      for (const one of due) one();
    },
  };
};

const disk = { kind: "disk", free: 500_000_000 } as const;

it("is told once when it begins and once when it is over, and a restart repeats neither", async () => {
  const { boot, told, ids, stored, go } = world();
  let alerts = boot();
  alerts.set("disk", disk);
  alerts.set("disk", { ...disk, free: 400_000_000 });
  await settle();
  expect(told).toEqual([expect.stringContaining("nearly full: 0.5 GB left")]);
  await alerts.close();
  alerts = boot();
  expect(alerts.open()).toMatchObject([{ key: "disk", told: "began" }]);
  alerts.set("disk", disk);
  await settle();
  expect(told).toHaveLength(1);
  alerts.set("disk", null);
  await settle();
  expect(told.at(-1)).toBe("The disk of the data directory has enough space again.");
  await alerts.close();
  alerts = boot();
  await settle();
  expect(told).toHaveLength(2);
  expect(stored.alerts()).toEqual([]);
  go(1_000);
  alerts.set("disk", disk);
  await settle();
  expect(told).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
});

it("a channel that does not take it is asked again, also by the next process; what is over by then is not told", async () => {
  const { boot, told, refuse, fire } = world();
  const first = boot();
  refuse("Slack asks to wait");
  first.set("disk", disk);
  first.set("model", { kind: "model", why: "auth" });
  await settle();
  first.set("model", null);
  await settle();
  expect(told).toEqual([]);
  await first.close();
  const second = boot();
  await settle();
  refuse(null);
  fire();
  await settle();
  expect(told).toEqual([expect.stringContaining("nearly full")]);
  await second.close();
});

it("one that comes back before its end was told goes on as the same", async () => {
  const { boot, told, refuse, fire } = world();
  const alerts = boot();
  alerts.set("disk", disk);
  await settle();
  refuse("away");
  alerts.set("disk", null);
  await settle();
  alerts.set("disk", disk);
  refuse(null);
  fire();
  await settle();
  expect(told).toHaveLength(1);
  expect(alerts.open()).toHaveLength(1);
});

const FULL = { kind: "failed", code: "disk_full", message: "full" } as const;

it("a disk that refuses writes is told all the same, once, and stored when it takes them again", async () => {
  const { boot, told, stored, fire } = world();
  let isFull = true;
  const alerts = boot({
    ...stored,
    putAlert: (row) => (isFull ? Promise.resolve(FULL) : stored.putAlert(row)),
  });
  alerts.set("writes", { kind: "writes", code: "disk_full" });
  await settle();
  fire();
  await settle();
  expect(told).toEqual([expect.stringContaining("refuses writes: the disk of the data directory is full")]);
  expect(stored.alerts()).toEqual([]);
  isFull = false;
  fire();
  await settle();
  expect(stored.alerts()).toMatchObject([{ key: "writes", told: "began" }]);
  expect(told).toHaveLength(1);
});

const watching = () => {
  const one = world();
  const { opened, stored, clock } = one;
  const state = { free: 50e9, slack: "on", isFull: false, tries: 0 };
  const budgets = dayBudget(opened.purse, clock.now);
  const alerts: Alerts = one.boot();
  const surfaces = () => ({ slack: state.slack, discord: "on" });
  const away = createAway(clock.now, surfaces);
  const boot = (on: Alerts) =>
    createHealthMonitor({
      among: ALONE,
      alerts: on,
      rows: {
        ...stored,
        setNote: (...note) => {
          state.tries += 1;
          return state.isFull ? Promise.resolve(FULL) : stored.setNote(...note);
        },
      },
      store: opened.store,
      budgets,
      clock,
      free: () => Promise.resolve(state.free),
      surfaces,
      away,
    });
  return { ...one, away, state, alerts, budgets, lookout: boot(alerts), again: boot };
};

it("40.B a surface without a connection for two minutes is told of, a shorter trouble is not", async () => {
  const { lookout, away, state, told, go } = watching();
  state.slack = "reconnecting";
  await lookout.look();
  go(60_000);
  await lookout.look();
  state.slack = "on";
  await lookout.look();
  state.slack = "reconnecting";
  await lookout.look();
  go(119_000);
  await lookout.look();
  await settle();
  expect(told).toEqual([]);
  go(1_000);
  await lookout.look();
  await settle();
  expect(told).toEqual([expect.stringMatching(/^Slack is without a connection for more than two minutes/)]);
  // Readiness reads the same clock, and whoever asks it learns of the return at once.
  expect(away()).toMatchObject([{ surface: "slack", isLong: true }]);
  state.slack = "on";
  expect(away()).toEqual([]);
  await lookout.look();
  await settle();
  expect(told.slice(1)).toEqual(["Slack works again."]);
});

it("the disk, the day's budget and a surface that stays off are noticed, and when they are well again", async () => {
  const { lookout, state, opened, told, go, budgets } = watching();
  await lookout.look();
  state.free = 0.9e9;
  state.slack = "off: token_revoked. The token was revoked: install the app again and set the new token.";
  await opened.purse.spend("2026-11-22", ["day"], 41_000_000);
  await lookout.look();
  state.free = 1.1e9;
  await lookout.look();
  await settle();
  expect(told).toEqual([
    "80 % of the day's budget of $50.00 is spent.",
    expect.stringContaining("nearly full: 0.9 GB left"),
    expect.stringMatching(/^Slack is off: token_revoked\. The token was revoked: install/),
  ]);
  await opened.purse.spend("2026-11-22", ["day"], 9_000_000);
  state.free = 2e9;
  state.slack = "connecting";
  await lookout.look();
  await settle();
  expect(told.slice(3)).toEqual([
    "The disk of the data directory has enough space again.",
    expect.stringContaining("The day's budget of $50.00 is used up."),
  ]);
  state.slack = "on";
  await lookout.look();
  await settle();
  expect(told.slice(5)).toEqual(["Slack works again."]);
  expect(budgets.overview().standings[0]?.spent).toBe(50_000_000);
  go(24 * 3_600_000);
  await lookout.look();
  await settle();
  expect(told.slice(6)).toEqual(["The day's budget is available again."]);
});

it("the disk is tried every ten minutes, and at every look while it refuses", async () => {
  const { lookout, state, go } = watching();
  const looked = async (): Promise<number> => {
    go(60_000);
    await lookout.look();
    return state.tries;
  };
  for (const tries of [1, 1, 1]) expect(await looked()).toBe(tries);
  state.isFull = true;
  go(8 * 60_000);
  for (const tries of [2, 3, 4]) expect(await looked()).toBe(tries);
  state.isFull = false;
  for (const tries of [5, 5, 5]) expect(await looked()).toBe(tries);
});

it("a question that waits for a day is told with its conversation and without a word of it, and when it waits no more", async () => {
  const { lookout, opened, told, clock, go } = watching();
  const state = await beginIn(opened.store);
  const after = await takeIn(
    opened.store,
    commitOf(state, { questions: [{ ...asked(1, "wire-1"), at: clock.now() }] } as const),
  );
  await lookout.look();
  go(LONG_OUTAGE);
  await lookout.look();
  await lookout.look();
  await settle();
  expect(told).toEqual([
    "A question has waited since 2026-11-22 09:00 UTC: write access, in c-1 (console). Decide it in the console, under Status.",
  ]);
  await takeIn(
    opened.store,
    commitOf(after, { questions: [{ kind: "withdrawn", question: "q1", by: "console:operator", at: 9 }] }),
  );
  await lookout.look();
  await settle();
  expect(told.at(-1)).toBe("The question in c-1 (console) no longer waits.");
});

it("another tier of the sandbox is told at the start that has it, with the conversations it held, and when it is back", async () => {
  const { lookout, opened, stored, told, alerts, boot, again } = watching();
  await beginIn(opened.store);
  await lookout.started("T0");
  await lookout.started("T3");
  await settle();
  expect(told).toEqual([
    "The sandbox is weaker than before: tier T3, previously T0. Affected conversations: 1. Run npm run doctor to see the cause.",
  ]);
  await alerts.close();
  const next = boot();
  await again(next).started("T3");
  await again(next).started("T1");
  await settle();
  expect(told).toHaveLength(1);
  await again(next).started("T0");
  await settle();
  expect(told.slice(1)).toEqual(["The sandbox is as strong as before: tier T0."]);
  await stored.setNote("tier", "T2");
  await again(next).started("T0");
  await again(next).started("T0");
  await settle();
  expect(told.slice(2)).toEqual(["The sandbox is stronger than before: tier T0, previously T2."]);
  expect(next.open()).toEqual([]);
});

const failed = (kind: "auth" | "overloaded"): ModelOutcome => ({
  kind: "failed",
  failure: { kind, message: "x", retryAfter: null },
});

it("a key that the provider refuses is noticed with the first answer, and that it is taken again", async () => {
  const { lookout, told } = watching();
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costMicroUsd: 0 };
  const answers: ModelOutcome[] = [
    failed("overloaded"),
    failed("auth"),
    failed("auth"),
    { kind: "answered", blocks: [], stop: "end", usage },
  ];
  const inner: Model = {
    window: () => 1,
    respond: () => Promise.resolve(answers.shift() ?? failed("overloaded")),
  };
  const model = lookout.model(inner);
  const request = {
    conversation: "c-1",
    model: "m",
    prefix: { hash: "", system: "", tools: [] },
    messages: [],
  } as const;
  for (let no = 0; no < 3; no += 1) {
    await model.respond(request, { signal: new AbortController().signal, onText: () => undefined });
  }
  await settle();
  expect(told).toEqual(["The model's provider refuses the key: check ANTHROPIC_API_KEY."]);
  await model.respond(request, { signal: new AbortController().signal, onText: () => undefined });
  await settle();
  expect(told.at(-1)).toBe("The model answers again.");
});

it("a credential that a forge refuses is told once for all of an owner's repositories, and when the forge takes it", async () => {
  const { lookout, told } = watching();
  let refusal: ForgeRefusal | null = { kind: "expired" };
  let closed = 0;
  const door: GitProxy = {
    port: 1,
    address: "",
    config: {},
    refusal: () => refusal,
    close: () => {
      closed += 1;
      return Promise.resolve();
    },
  };
  const doors = lookout.doors({
    open: ({ location }) => Promise.resolve(location.includes("public") ? null : door),
  });
  const fetched = async (location: string) => {
    await (await doors.open({ kind: "url", location }))?.close();
    await settle();
  };
  await fetched("https://forge.example:8443/acme/api.git");
  await fetched("https://forge.example:8443/acme/web.git");
  await fetched("https://forge.example:8443/public/x.git");
  expect(told).toEqual([
    expect.stringMatching(/^forge\.example:8443\/acme refuses the configured credential/),
  ]);
  refusal = { kind: "unreachable" };
  await fetched("https://forge.example:8443/acme/api.git");
  expect(told).toHaveLength(1);
  refusal = null;
  await fetched("https://forge.example:8443/acme/api.git");
  expect(told.slice(1)).toEqual(["forge.example:8443/acme accepts the configured credential again."]);
  refusal = { kind: "expired" };
  await fetched("git@forge.example:acme/api.git");
  expect(told[2]).toMatch(/^forge\.example\/acme refuses/);
  expect(closed).toBe(5);
});

it("a post that could not be put into its form is told once a surface and start, and never told to be over", async () => {
  const { lookout, alerts, told } = watching();
  for (const conversation of ["c-1", "c-2"] as const)
    alerts.set("fault slack", { kind: "fault", surface: "slack", conversation });
  await settle();
  expect(told).toEqual([expect.stringMatching(/^A post in c-1 \(Slack\) could not be rendered/)]);
  await lookout.started("T1");
  await settle();
  expect([told.length, alerts.open()]).toEqual([1, []]);
});

const joined = { kind: "watchJoined", watch: "incidents", surface: "slack", place: "CINC42" } as const;
const JOINED = "watchJoined slack CINC42";

it("news are told once and are over with that, whatever restarts", async () => {
  const { boot, stored, told, refuse, fire } = world();
  const alerts = boot();
  refuse("not_in_channel");
  alerts.set(JOINED, joined);
  await settle();
  expect(alerts.open().length).toBe(1);
  refuse(null);
  fire();
  await settle();
  expect(told).toEqual([expect.stringContaining("joined the new public channel CINC42")]);
  expect(alerts.open()).toEqual([]);
  expect(stored.alerts()).toEqual([]);
  boot();
  await settle();
  expect(told.length).toBe(1);
});

it("without a channel for the operator, news are on the status page for a day", async () => {
  const { clock, stored, go } = world();
  const alerts = createAlerts({ among: ALONE, rows: stored, clock, log: silentLog, tell: null });
  alerts.start();
  alerts.set(JOINED, joined);
  await settle();
  go(23 * 3_600_000);
  alerts.lookAfter();
  await settle();
  expect(alerts.open().length).toBe(1);
  go(3_600_000);
  alerts.lookAfter();
  await settle();
  expect(alerts.open()).toEqual([]);
  expect(stored.alerts()).toEqual([]);
});
