/**
 * The crash matrix (D36): the host ends before and after every commit and every platform call of a scripted day,
 * and the threads at the end of the day are those of the day without a crash.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import { live } from "./day.ts";
import { plainly } from "./plainly.ts";

let fake: FakeSlack;

beforeAll(async () => {
  fake = await createFakeSlack({ rates: "off" });
}, 180_000);

afterAll(() => fake.close());

describe("the host ends at any point of the day", () => {
  it("and every message is in its thread once, in order, notices of the interruption aside", {
    timeout: 900_000,
  }, async () => {
    const whole = await live(fake, null);
    expect(whole.processes).toBe(1);
    const failures: string[] = [];
    for (const [at, name] of whole.points.entries()) {
      const day = await live(fake, at).catch((error: unknown) => String(error));
      if (typeof day === "string") failures.push(`${at} ${name}: ${day}`);
      else {
        for (const thread of Object.keys(whole.threads)) {
          if (plainly(day.threads[thread]) !== plainly(whole.threads[thread])) {
            failures.push(`${at} ${name}: ${thread}\n${day.threads[thread]}`);
          }
        }
      }
    }
    console.log(`crash matrix: ${whole.points.length} points`);
    expect(failures).toEqual([]);
    expect(fake.violations).toEqual([]);
  });
});
