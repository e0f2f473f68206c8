import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../../../src/core/canonical.ts";
import { fingerprintOf } from "../../../src/tools/danger/fingerprint.ts";

test("two inputs have one fingerprint exactly when they are the same JSON", () => {
  const close = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(close, close, (a, b) => {
      const same = canonical(a) === canonical(b);
      expect(fingerprintOf({ name: "t", input: a }) === fingerprintOf({ name: "t", input: b })).toBe(same);
    }),
    { numRuns: 500 },
  );
});

test("neighbours do not run into each other", () => {
  const inputs: readonly unknown[] = [
    ["a", "b"],
    ["ab"],
    [["a"], "b"],
    [["a", "b"]],
    { a: "b" },
    { a: ["b"] },
    "a",
    null,
    [],
    {},
    "",
    0,
    "0",
  ];
  const prints = inputs.map((input) => fingerprintOf({ name: "t", input }));
  expect(new Set(prints).size).toBe(inputs.length);
  expect(fingerprintOf({ name: "a", input: "b" })).not.toBe(fingerprintOf({ name: "ab", input: "" }));
});

test("depth costs no stack", () => {
  let deep: unknown = "x";
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(fingerprintOf({ name: "t", input: deep })).toMatch(/^[0-9a-f]{64}$/);
});
