/** Of many launches a few begin at once, in the order of asking; nothing waits for one that takes its time. */

import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { createLaunchPace } from "../../sandbox/pace.ts";

/** Longer than any test. */
const NEVER = 2 ** 31 - 1;

it("as many as there is room for have their turn at once; each that ends lets the next in, in order", async () => {
  const turn = createLaunchPace(2, NEVER);
  const begun: number[] = [];
  const turns = [0, 1, 2, 3, 4].map(async (n) => {
    const leave = await turn(null);
    begun.push(n);
    return leave;
  });
  await Promise.all(turns.slice(0, 2));
  expect(begun).toEqual([0, 1]);
  for (const [n, asked] of turns.entries()) {
    const leave = await asked;
    leave?.();
    leave?.(); // a second time frees no second place
    await turns[n + 2];
    expect(begun).toEqual([0, 1, 2, 3, 4].slice(0, n + 3));
  }
});

it("one that does not end counts no longer than it is young", async () => {
  const turn = createLaunchPace(1, 1);
  for (let n = 0; n < 20; n++) expect(await turn(null)).not.toBe(null);
});

it("one whose signal comes while it waits has no turn, and its place goes to the next", async () => {
  const turn = createLaunchPace(1, NEVER);
  const leave = await turn(null);
  const stop = new AbortController();
  const stopped = turn(stop.signal);
  const next = turn(null);
  stop.abort();
  expect(await stopped).toBe(null);
  leave?.();
  expect(await next).not.toBe(null);
  expect(await turn(stop.signal)).toBe(null);
});

it("never more are young at once than there is room for, and everybody has a turn", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(3), { maxLength: 12 }),
      async (room, lives) => {
        const turn = createLaunchPace(room, NEVER);
        let young = 0;
        const most = vi.fn<(count: number) => void>();
        await Promise.all(
          lives.map(async (life) => {
            const leave = await turn(null);
            most(++young);
            for (let n = 0; n < life; n++) await Promise.resolve();
            young--;
            leave?.();
          }),
        );
        expect(most.mock.calls.every(([count]) => count <= room)).toBe(true);
        expect(most).toHaveBeenCalledTimes(lives.length);
      },
    ),
  );
});
