/**
 * The fault matrix: each call of the day to Slack fails in each way, one at a time, and the threads at the end of
 * the day are exactly those of a day without a fault.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import type { Fault } from "../fakes/slack/fault.ts";
import { live } from "./day.ts";
import { priceless } from "./plainly.ts";

const faults: Readonly<Record<string, Fault>> = {
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

/** Milliseconds until the client gives up where Slack stalls. */
const SHORT = 400;

let fake: FakeSlack;

beforeAll(async () => {
  fake = await createFakeSlack({ rates: "off" });
}, 180_000);

afterAll(() => fake.close());

describe("one call of the day to Slack fails", () => {
  it("and every message is in its thread once, in order", { timeout: 900_000 }, async () => {
    const from = fake.calls.length;
    const whole = await live(fake, null);
    const calls = fake.calls.length - from;
    const failures: string[] = [];
    for (const [name, fault] of Object.entries(faults)) {
      for (let at = 0; at < calls; at += 1) {
        let count = 0;
        let hit = "none";
        const match = ({ method }: { readonly method: string }): boolean => {
          if (count++ !== at) return false;
          hit = method;
          return true;
        };
        fake.fault(fault, { match });
        const day = await live(fake, null, fault.kind === "stall" ? SHORT : undefined).catch(
          (error: unknown) => String(error),
        );
        const problem = typeof day === "string" ? day : difference(day.threads, whole.threads);
        if (problem !== null) failures.push(`${name} at call ${at} (${hit}): ${problem}`);
      }
    }
    console.log(`fault matrix: ${calls} calls, ${Object.keys(faults).length} faults each`);
    expect(failures).toEqual([]);
    expect(fake.violations).toEqual([]);
  });
});

type Threads = Readonly<Record<string, string>>;

const difference = (threads: Threads, wanted: Threads): string | null => {
  const name = Object.keys(wanted).find((one) => priceless(threads[one]) !== priceless(wanted[one]));
  return name === undefined ? null : `${name}\n${threads[name]}`;
};
