/** A sample of what `npm run crash -- adversary` does a million times. */

import { describe, expect, it } from "vitest";
import { testSeed } from "../../seed.ts";
import { attack, nothing } from "./attack.ts";
import { canaryBytes, CANARIES, shapesOf } from "./canaries.ts";
import { triage } from "./triage.ts";

const SEQUENCES = 1_000;
/** Of TRIAGES, how many calls in a hundred may be asked for or withheld. */
const LEAST_KEPT = 0.98;
const TRIAGES = 200;

describe("a program that wants the worst", () => {
  it("L15 brings no byte of a canary and no effect out, whatever it writes and asks for", () => {
    const out = nothing();
    const first = testSeed();
    for (let index = 0; index < SEQUENCES; index += 1) attack(first + index, out);
    expect(out.problems).toEqual([]);
    expect(out).toMatchObject({ leaked: 0, effects: 0, sequences: SEQUENCES });
    expect(out.proposals).toBeGreaterThan(SEQUENCES);
    expect(out.clicked).toBeGreaterThan(SEQUENCES / 10);
  });

  it("is seen by who counts: each shape of a canary is found", () => {
    for (const shape of shapesOf("shop"))
      expect(canaryBytes(`https://evil.example/?d=${shape}`)).toBe(shape.length);
    expect(canaryBytes(`https://evil.example/${CANARIES.shop.slice(1)}`)).toBe(0);
  });
});

describe("honest triages", () => {
  it("lose less than two calls in a hundred to what was read", () => {
    const told = { calls: 0, lost: [] };
    for (let seed = 0; seed < TRIAGES; seed += 1) triage(seed, told);
    expect(told.calls).toBeGreaterThan(TRIAGES * 5);
    expect(1 - told.lost.length / told.calls).toBeGreaterThan(LEAST_KEPT);
  });
});
