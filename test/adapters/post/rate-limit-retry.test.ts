/** Waiting as long as a platform asks, and calling again. */

import { expect, test } from "vitest";
import { createRateLimitRetry } from "../../../adapters/post/rate-limit-retry.ts";
import type { SendFailure } from "../../../src/ports/surface.ts";

/** A call that is refused with each of these, one after the other, and then answered. */
const scene = (...troubles: readonly SendFailure[]) => {
  const left = [...troubles];
  const waits: number[] = [];
  const patience = createRateLimitRetry(
    (error) => error as SendFailure,
    (delay) => {
      waits.push(delay);
      return Promise.resolve();
    },
  );
  const call = (): Promise<string> => {
    const trouble = left.shift();
    return trouble === undefined ? Promise.resolve("answer") : Promise.reject(trouble);
  };
  return { waits, ask: (met?: SendFailure, isRead = false) => patience(call, { isRead, met }) };
};

const throttled = (retryAfter: number): SendFailure => ({ kind: "throttled", retryAfter });

test("a call is made again after as long as its platform asks to wait, however often", async () => {
  const { ask, waits } = scene(throttled(1_000), throttled(3_000));
  expect(await ask()).toBe("answer");
  expect(waits).toEqual([1_000, 3_000]);
});

test("what it was refused with already is waited for first", async () => {
  const { ask, waits } = scene();
  expect(await ask(throttled(2_000))).toBe("answer");
  expect(waits).toEqual([2_000]);
});

test("waits that come to more than 20 seconds together are the caller's to deal with", async () => {
  const { ask, waits } = scene(throttled(12_000), throttled(9_000));
  await expect(ask()).rejects.toEqual(throttled(9_000));
  expect(waits).toEqual([12_000]);
});

test("a read is made again twice where no usable answer came", async () => {
  const unknown: SendFailure = { kind: "unknown", why: "HTTP 503" };
  const { ask, waits } = scene(unknown, unknown);
  expect(await ask(undefined, true)).toBe("answer");
  expect(waits).toEqual([250, 1_000]);
  await expect(scene(unknown, unknown, unknown).ask(undefined, true)).rejects.toEqual(unknown);
});

test("a read that is refused for good is not", async () => {
  const refused: SendFailure = { kind: "refused", why: "user_not_found", permanent: true };
  const { ask, waits } = scene(refused);
  await expect(ask(undefined, true)).rejects.toEqual(refused);
  expect(waits).toEqual([]);
});

test("any other trouble is told at once", async () => {
  const refused: SendFailure = { kind: "unknown", why: "HTTP 503" };
  const { ask, waits } = scene(refused);
  await expect(ask()).rejects.toEqual(refused);
  expect(waits).toEqual([]);
});
