/** D26: which tier follows from what the host can do, and what people are told. */

import { describe, expect, it } from "vitest";
import { describeProbe, type ProbeFacts, parseFacts } from "../../sandbox/probe.ts";
import { describeTiers } from "./tiers.ts";

const none: ProbeFacts = {
  abi: 0,
  errata: 0,
  off: false,
  root: false,
  namespaces: false,
  userns: false,
  proc: false,
  network: false,
  memory: false,
  processes: false,
  processor: false,
  why: "",
};

describe("the tier", () => {
  it("Landlock is required at every tier; beside it a uid, namespaces, or scopes", () => {
    const rows: readonly (readonly [Partial<ProbeFacts>, string, boolean])[] = [
      [{ abi: 1, root: true, namespaces: true }, "T0", true],
      [{ abi: 1, root: true }, "T0", true],
      [{ abi: 1, namespaces: true, userns: true }, "T1", true],
      [{ abi: 6 }, "T2", true],
      [{ abi: 5 }, "T3", false],
      [{ abi: 0, root: true, namespaces: true }, "T3", false],
      [{ abi: 0, off: true, root: true, namespaces: true }, "T3", false],
    ];
    for (const [facts, tier, restricted] of rows) {
      const probe = describeProbe({ ...none, ...facts }, []);
      expect([probe.tier, probe.restricted, probe.refusal === null]).toEqual([tier, restricted, restricted]);
    }
  });

  it("a failed self-test refuses Restricted whatever the tier", () => {
    const probe = describeProbe({ ...none, abi: 7, root: true, namespaces: true }, ["udp"]);
    expect([probe.tier, probe.restricted, probe.refusal]).toEqual([
      "T0",
      false,
      "the self-test of the sandbox failed: udp",
    ]);
  });

  it("a refusal names the kernel that is needed", () => {
    expect(describeProbe(none, []).refusal).toMatch(
      /Linux 5\.13\+ with user namespaces or started as root, else 6\.12\+/,
    );
    expect(describeProbe({ ...none, off: true }, []).refusal).toMatch(/PARLEY_SANDBOX=off/);
  });

  it("what another launcher says is not understood", () => {
    expect(parseFacts(JSON.stringify(none))).toEqual(none);
    for (const text of ["", "{}", "[]", JSON.stringify({ ...none, abi: -1 })])
      expect(parseFacts(text)).toBeNull();
  });
});

describeTiers(["T0", "T1", "T2", "T3"], (world) => {
  it("is found by trying", () => {
    const { probe } = world().sandbox;
    expect([probe.tier, probe.restricted]).toEqual([world().expected, world().expected !== "T3"]);
    expect(probe.abi > 0).toBe(world().expected !== "T3");
    expect(probe.residual.length).toBeGreaterThan(0);
  });
});
