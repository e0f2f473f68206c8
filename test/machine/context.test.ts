/** The warning of BED-023: once for each crossing of 80 % of the working window, cache reads and writes counted. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { percentUsed } from "../../src/machine/context.ts";
import type { State } from "../../src/machine/state.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { Usage } from "../../src/machine/vocabulary.ts";
import { events, inPhase, phases, usage } from "./samples.ts";

const WINDOW = 200_000;

const answered = (state: State, counted: Usage) => {
  const thinking = { ...state, phase: phases.thinking };
  const result = transition(thinking, { ...events.answered, calls: [], stop: "end", usage: counted });
  if (result.kind === "refused") throw new Error(result.why);
  return result;
};

const of = (used: number): Usage => ({ ...usage, input: used, output: 0, cacheRead: 0, cacheWrite: 0 });

const warnings = (result: ReturnType<typeof answered>): number =>
  result.append.filter((entry) => entry.kind === "notice" && entry.notice.kind === "context").length;

it("row 62: 80.0 % warns nobody, 80.1 % once, and 80.2 % not again", () => {
  const at80 = answered(inPhase(phases.thinking), of(160_000));
  expect(warnings(at80)).toBe(0);
  const above = answered(at80.state, of(160_200));
  expect(warnings(above)).toBe(1);
  expect(above.append.at(-1)).toMatchObject({ notice: { kind: "context", used: 160_200, window: WINDOW } });
  expect(warnings(answered(above.state, of(160_400)))).toBe(0);
});

it("row 54: what the cache read and wrote counts", () => {
  const split = { ...of(40_000), cacheRead: 100_000, cacheWrite: 20_000, output: 1_000 };
  const { state, ...rest } = answered(inPhase(phases.thinking), split);
  expect(state.context.used).toBe(161_000);
  expect(percentUsed(state.context)).toBe(80);
  expect(warnings({ state, ...rest })).toBe(1);
});

it("one warning for each crossing, whatever the responses were", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0.9 * WINDOW - 1 })), (sizes) => {
      let state = inPhase(phases.thinking);
      let wasAbove = false;
      for (const size of sizes) {
        const result = answered(state, of(size));
        const isAbove = size > 160_000;
        expect(warnings(result)).toBe(isAbove && !wasAbove ? 1 : 0);
        wasAbove = isAbove;
        ({ state } = result);
      }
    }),
  );
});
