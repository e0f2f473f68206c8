/** Model calls and commands are dear: who waits is served fairly, and no conversation's sub-agents take them all. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlots } from "../../../src/runtime/live/slots.ts";

const never = new AbortController().signal;

/** Settles before anything that waits for it could be served by others. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

describe("slots", () => {
  it("a conversation's sub-agents hold at most half of them, so that another finds one at once", async () => {
    const slots = createSlots(8);
    const got: string[] = [];
    for (let agent = 0; agent < 10; agent += 1) void slots.take(never, "c-a").then(() => got.push("a"));
    await settled();
    expect(got).toHaveLength(4);
    void slots.take(never, "c-b").then(() => got.push("b"));
    await settled();
    expect(got.at(-1)).toBe("b");
  });

  it("of those that wait, the one whose family holds the fewest goes next, then the one that waits longest", async () => {
    const slots = createSlots(4);
    const got: string[] = [];
    const held = await Promise.all(["c-a", "c-a", "c-b", "c-c"].map((family) => slots.take(never, family)));
    for (const [name, family] of [
      ["second of b", "c-b"],
      ["first of d", "c-d"],
      ["first of e", "c-e"],
    ] as const) {
      void slots.take(never, family).then(() => got.push(name));
    }
    held[3]?.();
    await settled();
    expect(got).toEqual(["first of d"]);
    held[0]?.();
    await settled();
    expect(got).toEqual(["first of d", "first of e"]);
    held[1]?.();
    await settled();
    expect(got).toEqual(["first of d", "first of e", "second of b"]);
  });

  it("are never more than there are, never lost, and nobody waits while one is free for them", async () => {
    const step = fc.record({
      family: fc.constantFrom("c-a", "c-b", "c-c", undefined),
      aborted: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 20 }),
        async (limit, steps) => {
          const slots = createSlots(limit);
          const held: (() => void)[] = [];
          let waiting = 0;
          for (const { family, aborted } of steps) {
            const controller = new AbortController();
            waiting += 1;
            const given = async (): Promise<void> => {
              const release = await slots.take(controller.signal, family);
              waiting -= 1;
              if (release !== null) held.push(release);
            };
            void given();
            if (aborted) controller.abort();
            await settled();
            expect(held.length).toBeLessThanOrEqual(limit);
          }
          for (let rounds = 0; rounds < 100 && held.length > 0; rounds += 1) {
            held.shift()?.();
            await settled();
            expect(held.length).toBeLessThanOrEqual(limit);
          }
          expect(waiting).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });
});
