/** G1 where several hosts share a database, and which day it is for them, whatever their clocks say. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Account, Day, Scope } from "../../../src/ports/money.ts";
import { createSharedDays, type Days } from "../../../src/features/money/days.ts";
import { chargedTo, type Defaults } from "../../../src/features/money/scopes.ts";
import { openBudgets } from "./usual.ts";
import { openMemory } from "../../store/in-memory.ts";
import { memberRows } from "../../store/member-rows.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = 24 * HOUR;
const noon = Date.parse("2026-11-22T12:00:00Z");
const dayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10);

const NAMES = ["one", "two", "three"] as const;
type Name = (typeof NAMES)[number];
const name = fc.constantFrom(...NAMES);

const accountOf = (who: number): Account => ({
  speaker: { id: `slack:U${who}`, mayDrive: who % 2 === 0, mayApprove: false },
  surface: "slack",
  place: `C${who % 2}`,
  server: null,
  isSubagent: false,
  context: 0,
  turn: { no: 1, isOpen: false, confirmed: false, spent: 0, isSummary: false },
  written: 0,
});

describe("several hosts", () => {
  /** So small that answers have to be made shorter, and requests are refused. */
  const defaults: Defaults = {
    stranger: 30_000,
    person: 60_000,
    channel: 90_000,
    server: null,
    day: 150_000,
  };
  const prices = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
  const command = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("ask" as const),
        at: name,
        who: fc.nat(3),
        tokens: fc.nat(9_000),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("end" as const),
        no: fc.nat(9),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("die" as const), at: name, back: fc.boolean() }) },
  );

  it("spend and set aside of no scope more than its budget, and refuse only what would not fit", async () => {
    const { purse, rows } = openMemory();
    const fleet = memberRows(rows);
    let starts = 0;
    let now = noon;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
        // Another day for each run, with nothing spent: whoever leads has brought it to all before anybody asks.
        now += 24 * HOUR;
        await purse.carry([], dayOf(now));
        const instances = new Map<Name, string>();
        const open = async (host: Name) => {
          const instance = `start ${starts++}`;
          instances.set(host, instance);
          await fleet.join(host, instance);
          const sharing = { host, leads: () => fleet.members()[0] === host };
          return openBudgets(
            purse,
            () => now,
            () => now,
            defaults,
            null,
            sharing,
          );
        };
        const hosts = new Map<Name, Awaited<ReturnType<typeof open>>>();
        for (const host of NAMES) hosts.set(host, await open(host));
        let flying: {
          readonly at: Name;
          readonly scopes: readonly Scope[];
          readonly held: number;
          settle(cost: number): void;
        }[] = [];
        const used = (scope: Scope): number =>
          purse.spent([dayOf(now)], scope) +
          flying.filter(({ scopes }) => scopes.includes(scope)).reduce((sum, { held }) => sum + held, 0);

        for (const one of commands) {
          if (one.kind === "ask") {
            const account = accountOf(one.who);
            const charged = chargedTo(account, defaults);
            const left = Math.min(...charged.map(({ scope, usual }) => (usual ?? Infinity) - used(scope)));
            const bill = { account, prices, tokens: one.tokens, cached: 0, longest: 8_000 };
            const admission = await hosts.get(one.at)?.admit(bill);
            if (admission === undefined) continue;
            const least = Math.ceil(1.25 * one.tokens) + 1_024 * 5;
            expect(admission.kind).toBe(left >= least ? "admitted" : "refused");
            if (admission.kind === "refused") continue;
            const { input, maxTokens, settle } = admission;
            const held = Math.min(left, input + 8_000 * 5);
            expect(input + maxTokens * 5).toBeLessThanOrEqual(held);
            flying.push({ at: one.at, scopes: charged.map(({ scope }) => scope), held, settle });
          } else if (one.kind === "end") {
            const [ended] = flying.splice(one.no, 1);
            ended?.settle(Math.floor(ended.held * one.share));
            await purse.spend(dayOf(now), [], 0);
          } else {
            flying = flying.filter(({ at }) => at !== one.at);
            hosts.delete(one.at);
            if (one.back) hosts.set(one.at, await open(one.at));
            else await fleet.leave(one.at, instances.get(one.at) ?? "");
          }
          for (const { scope, usual } of [0, 1, 2, 3].flatMap((who) => chargedTo(accountOf(who), defaults)))
            expect(used(scope)).toBeLessThanOrEqual(usual ?? Infinity);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** A while, or until so long before the next midnight: what matters happens there. */
const towards = (minutes: number, now: number): number =>
  minutes > 0 ? minutes * MINUTE : Math.max(0, Math.ceil(now / DAY) * DAY + minutes * MINUTE - now);

/** Hosts come and go, each with a clock of its own. */
const openClocks = ({ purse, rows } = openMemory(), began = noon) => {
  const fleet = memberRows(rows);
  let passed = 0;
  let starts = 0;
  const running = new Map<Name, { readonly days: Days; readonly instance: string; ahead: number }>();
  const leads = (host: Name) => fleet.members()[0] === host;
  return {
    purse,
    running,
    real: () => began + passed,
    pass: (by: number) => void (passed += by),
    set: (host: Name, ahead: number) => {
      const one = running.get(host);
      if (one !== undefined) one.ahead = ahead;
    },
    join: async (host: Name, ahead: number) => {
      const instance = `start ${starts++}`;
      const days = createSharedDays({
        purse,
        now: () => began + passed + (running.get(host)?.ahead ?? ahead),
        steady: () => passed,
        leads: () => leads(host),
      });
      running.set(host, { days, instance, ahead });
      await fleet.join(host, instance);
    },
    leave: async (host: Name) => {
      await fleet.leave(host, running.get(host)?.instance ?? "");
      running.delete(host);
    },
    /** As the one that leads does every minute. Answers what day it is for whom. */
    look: async (): Promise<readonly (readonly [Day, ...Day[]])[]> => {
      const first = NAMES.find(leads);
      if (first !== undefined) running.get(first)?.days();
      await purse.spend("2000-01-01", [], 0);
      return [...running.values()].map(({ days }) => days());
    },
    spend: async (host: Name, amount: number) => {
      const today = running.get(host)?.days()[0];
      if (today !== undefined) await purse.settle(host, null, today, ["day"], amount);
    },
  };
};

describe("a day that hosts share", () => {
  const ahead = fc.integer({ min: -HOUR, max: HOUR });
  const command = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("pass" as const),
        minutes: fc.integer({ min: -70, max: 90 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("spend" as const),
        host: name,
        amount: fc.integer({ min: 1, max: 9 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("join" as const), host: name, ahead }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), host: name }) },
  );

  it("is one for all of them, comes once, keeps what was spent on it, and no later or earlier than their clocks differ", async () => {
    const opened = openMemory();
    let began = noon;
    await fc.assert(
      fc.asyncProperty(ahead, fc.array(command, { maxLength: 40 }), async (first, commands) => {
        began += 365 * 24 * HOUR;
        for (const host of NAMES) {
          await memberRows(opened.rows).join(host, "");
          await memberRows(opened.rows).leave(host, "");
        }
        const clocks = openClocks(opened, began);
        await clocks.join("one", first);
        let day = "";
        const spent = new Map<Day, number>();
        for (const one of commands) {
          const isAlone = clocks.running.size === 1;
          if (one.kind === "pass") clocks.pass(towards(one.minutes, clocks.real()));
          else if (one.kind === "join") await clocks.join(one.host, one.ahead);
          else if (one.kind === "leave" && !(isAlone && clocks.running.has(one.host)))
            await clocks.leave(one.host);
          const seen = await clocks.look();
          const today = seen[0]?.[0] ?? "";
          for (const days of seen) expect(days).toEqual([today]);
          expect(today >= day).toBe(true);
          expect(today >= dayOf(clocks.real() - HOUR) && today <= dayOf(clocks.real() + HOUR)).toBe(true);
          day = today;
          if (one.kind === "spend" && clocks.running.has(one.host)) {
            await clocks.spend(one.host, one.amount);
            spent.set(day, (spent.get(day) ?? 0) + one.amount);
          }
          for (const [past, sum] of spent) expect(clocks.purse.spent([past], "day")).toBe(sum);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("that one of them has begun goes on where the next who leads is behind, and is not begun again at its midnight", async () => {
    const clocks = openClocks();
    await clocks.join("one", HOUR);
    await clocks.join("two", 0);
    clocks.pass(11.5 * HOUR);
    expect(await clocks.look()).toEqual([["2026-11-23"], ["2026-11-23"]]);
    await clocks.spend("two", 7);
    await clocks.leave("one");
    expect(await clocks.look()).toEqual([["2026-11-23"]]);
    clocks.pass(HOUR);
    expect(await clocks.look()).toEqual([["2026-11-23"]]);
    expect(clocks.purse.spent(["2026-11-23"], "day")).toBe(7);
    clocks.pass(DAY);
    expect(await clocks.look()).toEqual([["2026-11-24"]]);
  });

  it("is not changed by a host that does not lead, whatever its clock says, and however that is set", async () => {
    const clocks = openClocks();
    await clocks.join("one", 0);
    await clocks.look();
    await clocks.join("two", 5 * 365 * 24 * HOUR);
    await clocks.spend("two", 7);
    expect(await clocks.look()).toEqual([["2026-11-22"], ["2026-11-22"]]);
    clocks.set("two", -5 * 365 * 24 * HOUR);
    expect(await clocks.look()).toEqual([["2026-11-22"], ["2026-11-22"]]);
    expect(clocks.purse.spent(["2026-11-22"], "day")).toBe(7);
  });

  it("of a leading host whose clock is wrong by years ends with it: what was spent is taken along, and renews at midnight", async () => {
    const clocks = openClocks();
    await clocks.join("one", 5 * 365 * 24 * HOUR);
    await clocks.join("two", 0);
    await clocks.look();
    await clocks.spend("two", 7);
    expect(clocks.purse.spent(["2031-11-21"], "day")).toBe(7);
    await clocks.leave("one");
    expect(await clocks.look()).toEqual([["2026-11-22", "2031-11-21"]]);
    expect(clocks.purse.all(["2026-11-22"])).toEqual([{ scope: "day", amount: 7 }]);
    clocks.pass(13 * HOUR);
    expect(await clocks.look()).toEqual([["2026-11-23"]]);
  });

  it("goes along with the clock of the leading host where that is set, with what was spent", async () => {
    const clocks = openClocks();
    await clocks.join("one", 0);
    await clocks.join("two", 0);
    await clocks.look();
    await clocks.spend("two", 7);
    clocks.set("one", 48 * HOUR);
    await clocks.look();
    expect((await clocks.look()).map(([today]) => today)).toEqual(["2026-11-24", "2026-11-24"]);
    expect(clocks.purse.spent(["2026-11-24"], "day")).toBe(7);
    clocks.set("one", 0);
    await clocks.look();
    expect((await clocks.look()).map(([today]) => today)).toEqual(["2026-11-22", "2026-11-22"]);
    expect(clocks.purse.spent(["2026-11-22"], "day")).toBe(7);
  });
});
