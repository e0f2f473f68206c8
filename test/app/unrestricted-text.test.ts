/** What an approval gives on a host: nobody is asked for nothing (row 39). */

import { expect, it } from "vitest";
import { noProbe } from "../../sandbox/probe.ts";
import type { Probe } from "../../sandbox/types.ts";
import { offerOf } from "../../src/app/unrestricted-text.ts";

const T1: Probe = {
  ...noProbe(""),
  tier: "T1",
  restricted: true,
  unrestricted: { kind: "held" },
  egress: "proxy",
};
const T2: Probe = {
  ...T1,
  tier: "T2",
  unrestricted: { kind: "open", why: "modes can change" },
  egress: "none",
};

it.each<[string, Probe, Parameters<typeof offerOf>[0], boolean, boolean]>([
  ["T1", T1, { PARLEY_EGRESS: undefined, PARLEY_ALLOW_T2_WRITES: false }, true, true],
  [
    "T1 whose operator opens nothing",
    T1,
    { PARLEY_EGRESS: ["none"], PARLEY_ALLOW_T2_WRITES: false },
    true,
    false,
  ],
  ["T2", T2, { PARLEY_EGRESS: undefined, PARLEY_ALLOW_T2_WRITES: false }, false, false],
  ["T2 that is accepted", T2, { PARLEY_EGRESS: undefined, PARLEY_ALLOW_T2_WRITES: true }, true, false],
  [
    "T2 that shares its network",
    { ...T2, egress: "shared" },
    { PARLEY_EGRESS: ["none"], PARLEY_ALLOW_T2_WRITES: true },
    true,
    true,
  ],
  [
    "no launcher",
    noProbe("it is missing"),
    { PARLEY_EGRESS: undefined, PARLEY_ALLOW_T2_WRITES: true },
    false,
    false,
  ],
])("%s", (_, probe, config, runs, network) => {
  const offer = offerOf(config, { probe });
  expect(offer.refused === null).toBe(runs);
  expect(offer.network).toBe(network);
});

it("the refusal has the operator's remedy", () => {
  const config = { PARLEY_EGRESS: undefined, PARLEY_ALLOW_T2_WRITES: false };
  expect(offerOf(config, { probe: T2 }).refused).toContain("PARLEY_ALLOW_T2_WRITES=on");
  expect(offerOf(config, { probe: noProbe("it is missing") }).refused).toContain("it is missing");
});
