/**
 * The crash matrix (D36): days on which the host ends at a point, days on which a call to Slack fails in some way,
 * and days of both. Each is compared with a day on which nothing happens.
 */

import type { Fault } from "../fakes/slack/fault.ts";
import { type Day, type Fate, live, type Town } from "./day.ts";
import { plainly, priceless, written } from "./plainly.ts";

export interface Report {
  /** Names of what happened, one each day. */
  readonly days: readonly string[];
  /** What came out otherwise than it should, one each day. */
  readonly failures: readonly string[];
  /** Events of all conversations of all days, replayed. */
  readonly events: number;
}

/** The host ends at each point of the day, once. */
export const endEverywhere = async (town: Town): Promise<Report> => {
  const whole = await live(town);
  return compare(
    whole,
    whole.points.map((name, at) => ({ name: `${at} ${name}`, run: () => live(town, { ends: [at] }) })),
    plainly,
  );
};

/** Each call of the day to Slack fails in each way, once. */
export const failEverywhere = async (town: Town): Promise<Report> => {
  const from = town.fake.calls.length;
  const whole = await live(town);
  const calls = town.fake.calls.length - from;
  const days = Object.entries(FAULTS).flatMap(([name, fault]) =>
    Array.from({ length: calls }, (_, at) => ({
      name: `call ${at}: ${name}`,
      run: () => disturbed(town, [{ at, fault }], {}),
    })),
  );
  return compare(whole, days, priceless);
};

/** The disk refuses each batch of writes of the day and the two after it, in each way. */
export const refuseEverywhere = async (town: Town): Promise<Report> => {
  const whole = await live(town);
  const days = (["full", "read-only"] as const).flatMap((kind) =>
    Array.from({ length: whole.batches }, (_, at) => ({
      name: `${kind} from batch ${at} on`,
      run: async () => {
        const day = await live(town, { disk: { kind, at, batches: 3 } });
        if (day.refused === 0 && at < day.batches) throw new Error("nothing was refused");
        return day;
      },
    })),
  );
  return compare(whole, days, written);
};

/** Days on which all sorts of things happen one after the other; the same seed is the same days. */
export const troubledDays = async (town: Town, seed: number, count: number): Promise<Report> => {
  const from = town.fake.calls.length;
  const whole = await live(town);
  const calls = town.fake.calls.length - from;
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const names = Object.keys(FAULTS);
  const days = Array.from({ length: count }, () => {
    const ends = Array.from({ length: 1 + below(3) }, () => below(whole.points.length));
    const faults = Array.from({ length: below(4) }, () => ({
      at: below(calls),
      name: names[below(names.length)] ?? "",
    }));
    const name = `ends at ${ends.join(", ")}; ${faults.map((one) => `call ${one.at}: ${one.name}`).join("; ")}`;
    const disturbances = faults.flatMap(({ at, name: kind }) => {
      const fault = FAULTS[kind];
      return fault === undefined ? [] : [{ at, fault }];
    });
    return { name, run: () => disturbed(town, disturbances, { ends }) };
  });
  return compare(whole, days, plainly);
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  "429 with Retry-After": { kind: "status", status: 429, retryAfter: "2" },
  "a reset before it was applied": { kind: "cut", applied: false, how: "reset" },
  "a reset after it was applied": { kind: "cut", applied: true, how: "reset" },
  "a lost acknowledgement": { kind: "cut", applied: true, how: "end" },
  "a timeout before it was applied": { kind: "stall", applied: false },
  "a timeout after it was applied": { kind: "stall", applied: true },
  "a 503 from a proxy": { kind: "status", status: 503, body: "html" },
  "an internal error after it was applied": { kind: "error", error: "internal_error", applied: true },
  "an answer that is none": { kind: "nonsense", text: "<html>" },
};

/** Milliseconds until the client gives up where Slack stalls: too short a patience is only one more fault. */
const SHORT = 200;

interface Disturbance {
  /** The number of the day's call. */
  readonly at: number;
  readonly fault: Fault;
}

const disturbed = (town: Town, disturbances: readonly Disturbance[], fate: Fate): Promise<Day> => {
  let over = false;
  for (const { at, fault } of disturbances) {
    let count = 0;
    town.fake.fault(fault, { match: () => !over && count++ === at });
  }
  const stalls = disturbances.some(({ fault }) => fault.kind === "stall");
  return live(town, { ...fate, ...(stalls ? { timeout: SHORT } : {}) }).finally(() => {
    over = true;
  });
};

const compare = async (
  whole: Day,
  days: readonly { readonly name: string; readonly run: () => Promise<Day> }[],
  strip: (thread: string | undefined) => string,
): Promise<Report> => {
  const failures: string[] = [];
  let { events } = whole;
  for (const { name, run } of days) {
    const day = await inTime(run()).catch((error: unknown) => String(error));
    if (typeof day === "string") {
      failures.push(`${name}: ${day}`);
      continue;
    }
    events += day.events;
    const differs = Object.keys(whole.threads).find(
      (thread) => strip(day.threads[thread]) !== strip(whole.threads[thread]),
    );
    if (differs !== undefined) failures.push(`${name}: ${differs}\n${day.threads[differs]}`);
  }
  return { days: days.map(({ name }) => name), failures, events };
};

/** So much real time no day takes, however busy the machine is. */
const LONGEST = 180_000;

const inTime = async (day: Promise<Day>): Promise<Day> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the day does not end")), LONGEST);
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
