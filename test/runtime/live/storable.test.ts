import fc from "fast-check";
import { expect, it } from "vitest";
import { toStorable } from "../../../src/runtime/live/storable.ts";

const nest = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [inner], "core");

it("tool input keeps its bytes up to the bound and is replaced beyond it, however deep", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), (levels) => {
      const block = { kind: "toolUse", id: "t", name: "bash", input: nest(levels) } as const;
      const kept = toStorable(block);
      if (levels <= 100) expect(kept).toBe(block);
      else expect(kept).toEqual({ ...block, input: { invalid: "nested deeper than 100 levels" } });
    }),
    { numRuns: 300 },
  );
});

it("text is never touched", () => {
  const block = { kind: "text", text: "[".repeat(100_000) } as const;
  expect(toStorable(block)).toBe(block);
});
