/**
 * The crash matrix (D36): days on which the host ends at a point, days on which a call to the platform fails in some
 * way, and days of both. Each is compared with a day on which nothing happens.
 *
 * `One at a time` is a day for each point, call or write. `Many a day` meets all of them too, each at least once, but
 * goes on after each with the same day: as thorough, harder, and several times as fast.
 */

import { type Day, endsAt, live } from "./day.ts";
import { plainly, priceless, written } from "./plainly.ts";
import type { Fault, Town } from "./platform.ts";
import { MOST } from "../patience.ts";
import { testSeed } from "../seed.ts";

export interface Report {
  readonly days: number;
  /** Points at which the host ended, calls that failed or writes that were refused. */
  readonly met: number;
  /** What came out otherwise than it should, one each day. */
  readonly failures: readonly string[];
  /** Events of all conversations of all days, replayed. */
  readonly events: number;
}

export type Pace = "one at a time" | "many a day";

/** Points that a process passes before it ends, where it is not the day's first: so that days end too. */
const APART = 20;

/** The host ends at each point of the day, or at those of the names that are `wanted`. */
export const endEverywhere = async (
  town: Town,
  pace: Pace,
  wanted: (name: string) => boolean = () => true,
): Promise<Report> => {
  const whole = await live(town);
  const due = new Set(whole.points.filter(wanted));
  const judge = createJudge(whole, plainly);
  for (const name of pace === "many a day" ? whole.points : []) {
    // The first process of the day ends at the first point that is due; the later ones where they come by others.
    if (!due.has(name)) continue;
    await judge.live(`many ends from ${name} on`, () =>
      live(town, {
        isEnd: (point, process) =>
          due.has(point.name) && (process === 0 || point.index >= APART) && due.delete(point.name),
      }),
    );
  }
  for (const [at, name] of whole.points.entries()) {
    if (pace === "one at a time") await judge.live(`${at} ${name}`, () => live(town, { isEnd: endsAt(at) }));
  }
  return judge.report();
};

/**
 * Each call of the day, or those that are `wanted`, fails in each way; `create`: towns for days that are lived beside each
 * other.
 */
export const failEverywhere = async (
  create: () => Promise<Town>,
  pace: Pace,
  strip: (thread: string | undefined) => string = priceless,
  wanted: (call: string, fault: string) => boolean = () => true,
): Promise<Report> => {
  const town = await create();
  const { calls, whole } = await watched(town);
  const judge = createJudge(whole, strip);
  const violations: string[] = [];
  let met = 0;
  await Promise.all(
    town.faults.map(async (fault) => {
      const place = await create();
      const due = new Set(calls.filter((name) => wanted(name, fault.name)));
      met += due.size;
      if (due.size === 0) violations.push(`no call is wanted for ${fault.name}`);
      for (const name of due) {
        const fates = pace === "many a day" ? due : new Set([name]);
        await judge.live(`${fault.name}, from ${name} on`, () => disturbed(place, fault, fates));
        due.delete(name);
      }
      violations.push(...place.violations);
      await place.close();
    }),
  );
  await town.close();
  const report = judge.report();
  return { ...report, met, failures: [...report.failures, ...violations] };
};

/** The disk refuses each batch of writes of the day's first process and the two after it, in each way. Many a day: each once. */
export const refuseEverywhere = async (town: Town, pace: Pace): Promise<Report> => {
  const whole = await live(town);
  const judge = createJudge(whole, written);
  const every = pace === "many a day" ? Math.min(BATCHES_APART, whole.batches) : whole.batches;
  const [first, step] = pace === "many a day" ? [testSeed() % REFUSED, REFUSED] : [0, 1];
  for (const kind of ["full", "read-only"] as const) {
    for (let from = first; from < every; from += step) {
      const refuses = (batch: number): boolean => batch >= from && (batch - from) % every < REFUSED;
      await judge.live(`${kind} from batch ${from} on`, async () => {
        const day = await live(town, { disk: { kind, refuses } });
        if (day.refused === 0 && from < day.batches) throw new Error("nothing was refused");
        return day;
      });
    }
  }
  return judge.report();
};

const REFUSED = 3;
/** More than a turn takes up again before the disk refuses anew. */
const BATCHES_APART = 15;

/** Days on which all sorts of things happen one after the other; the same seed is the same days. */
export const troubledDays = async (town: Town, seed: number, count: number): Promise<Report> => {
  const { calls, whole } = await watched(town);
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const judge = createJudge(whole, plainly);
  for (let day = 0; day < count; day += 1) {
    const ends = Array.from({ length: 1 + below(3) }, () => below(whole.points.length));
    const faults = Array.from({ length: below(4) }, () => ({
      at: below(calls.length),
      fault: town.faults[below(town.faults.length)],
    }));
    const told = faults.map(({ at, fault }) => `call ${at}: ${fault?.name}`);
    await judge.live(`ends at ${ends.join(", ")}; ${told.join("; ")}`, async () => {
      const stops = faults.map(({ at, fault }) => {
        let number = 0;
        return town.spoil(fault?.name ?? "", () => number++ === at);
      });
      const stalls = faults.some(({ fault }) => fault?.stalls);
      return live(town, { isEnd: endsAt(...ends), ...(stalls ? { timeout: SHORT } : {}) }).finally(() => {
        for (const stop of stops) stop();
      });
    });
  }
  return judge.report();
};

/**
 * Milliseconds until the host gives up where the platform stalls. Too short a patience on a busy machine is one more fault each
 * time, and a file is dropped after four (WS1).
 */
const SHORT = 1_500;
/** Calls between two that fail. */
const CALLS_APART = 2;

/** A call's name says how often its method was applied before: the same in every day as far as the day is the same. */
const createNamer = () => {
  const applied = new Map<string, number>();
  return {
    nameOf: (method: string): string => `${method} ${(applied.get(method) ?? 0) + 1}`,
    applied: (method: string) => applied.set(method, (applied.get(method) ?? 0) + 1),
  };
};

/** A day without trouble, and its calls. */
const watched = async (town: Town): Promise<{ readonly whole: Day; readonly calls: readonly string[] }> => {
  const calls: string[] = [];
  const { nameOf, applied } = createNamer();
  const stop = town.spoil(town.faults[0]?.name ?? "", (method) => {
    calls.push(nameOf(method));
    applied(method);
    return false;
  });
  const whole = await live(town).finally(stop);
  return { whole, calls };
};

/** Each call that is due fails once, not too close to the one before, and is due no more. */
const disturbed = (town: Town, fault: Fault, due: Set<string>): Promise<Day> => {
  const { nameOf, applied } = createNamer();
  let since = CALLS_APART;
  const stop = town.spoil(fault.name, (method) => {
    const name = nameOf(method);
    const isSpoilt = since >= CALLS_APART && due.delete(name);
    since = isSpoilt ? 0 : since + 1;
    if (!isSpoilt || fault.applied) applied(method);
    return isSpoilt;
  });
  return live(town, fault.stalls ? { timeout: SHORT } : {}).finally(stop);
};

/** Compares days with the whole one. */
const createJudge = (whole: Day, strip: (thread: string | undefined) => string) => {
  const failures: string[] = [];
  let { events } = whole;
  let days = 0;
  let met = 0;
  return {
    live: async (name: string, run: () => Promise<Day>): Promise<void> => {
      days += 1;
      const day = await inTime(run()).catch((error: unknown) => String(error));
      if (typeof day === "string") {
        failures.push(`${name}: ${day}`);
        return;
      }
      events += day.events;
      met += day.ends.length + day.refused;
      const differs = Object.keys(whole.threads).find(
        (thread) => strip(day.threads[thread]) !== strip(whole.threads[thread]),
      );
      if (differs === undefined) return;
      failures.push(
        `${name}, ended at ${day.ends.join(", ")}: ${differs}\n${firstDifference(strip(whole.threads[differs]), strip(day.threads[differs]))}`,
      );
    },
    report: (): Report => ({ days, met, failures, events }),
  };
};

/** For reviewers: where two threads part. */
const firstDifference = (wanted: string, found: string): string => {
  let at = 0;
  while (at < wanted.length && wanted[at] === found[at]) at += 1;
  const from = Math.max(0, at - 200);
  return `wanted: …${wanted.slice(from, from + 600)}\nfound: …${found.slice(from, from + 600)}`;
};

const inTime = async (day: Promise<Day>): Promise<Day> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the day does not end")), MOST);
  return Promise.race([day, late.promise]).finally(() => clearTimeout(timer));
};

/** Numbers from 0 to below 1 that only the seed decides (mulberry32). */
const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
