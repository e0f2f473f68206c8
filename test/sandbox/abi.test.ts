/** Which rights are asked of which kernel, and that the tiers hold on the oldest that they promise (D26). */

import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { locateLauncher } from "../../sandbox/locate.ts";
import { describeTiers, isRunning, textOf } from "./tiers.ts";
import { ENV } from "./world.ts";

/** hazard K1, written down once more: the bits that each ABI added, in the words of the kernel's own table. */
const FS_BITS = [0, 13, 14, 15, 15, 16, 16, 16, 16, 17, 17, 17] as const;
const bits = (count: number): number => 2 ** count - 1;

describe("the rights asked of a kernel", () => {
  it("are all that its ABI knows and none that it does not, for every ABI", async () => {
    const located = await locateLauncher(join(tmpdir(), "parley-abi"));
    if (located.kind === "failed") throw new Error(located.reason);
    const rows = execFileSync(located.path, ["rights"], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(rows.slice(0, 12)).toEqual(
      FS_BITS.map((count, abi) => ({
        abi,
        fs: bits(count),
        scoped: abi >= 6 ? bits(2) : 0,
        size: abi >= 6 ? 24 : abi >= 4 ? 16 : 8,
        flags: (abi >= 7 ? 4 : 0) + (abi >= 8 ? 8 : 0),
        network: {
          none: abi >= 10 ? bits(4) : abi >= 4 ? bits(2) : 0,
          fetch: abi >= 4 ? 1 : 0,
          egress: 0,
        },
        missing: { T0: abi < 1, T1: abi < 1, T2: abi < 6 },
      })),
    );
    // A kernel of the future is asked for what the last known one is.
    expect(rows[12]).toEqual({ ...Object(rows[11]), abi: 12 });
  });
});

describeTiers(
  ["T0", "T1", "T2", "T3"],
  (world) => {
    it("the tier holds on that kernel, by its self-test, or is refused with the reason", () => {
      const { probe } = world().sandbox;
      const refusal = world().expected === "T3" ? expect.stringContaining("Landlock") : null;
      expect([probe.tier, probe.refusal]).toEqual([world().expected, refusal]);
    });

    it("nothing in a read-only mount is truncated or changed in mode, whatever its mode allows; an own file is", async ({
      skip,
    }) => {
      if (!world().sandbox.probe.restricted) skip("Restricted is refused here");
      const note = join(world().folder, "work", "note.txt");
      writeFileSync(note, "whole\n");
      chmodSync(note, 0o666);
      const before = statSync(note);
      const script = `
import os
for flags in (os.O_RDONLY | os.O_TRUNC, os.O_TRUNC | 3, os.O_WRONLY | os.O_TRUNC, os.O_WRONLY):
  try: os.open("note.txt", flags); print("opened", flags)
  except OSError: pass
for change in (lambda: os.truncate("note.txt", 0), lambda: os.chmod("note.txt", 0o600), lambda: os.utime("note.txt")):
  try: change(); print("changed")
  except OSError: pass
own = os.environ["TMPDIR"] + "/own"
open(own, "w").write("first")
open(own, "w").write("x")
print(open(own).read(), open("note.txt").read(), end="")`;
      const result = await world().run("restricted", ["/usr/bin/python3", "-c", script]);
      const after = statSync(note);
      expect(readFileSync(note, "utf8")).toBe("whole\n");
      expect([after.mode, after.mtimeMs, after.ctimeMs]).toEqual([
        before.mode,
        before.mtimeMs,
        before.ctimeMs,
      ]);
      expect(textOf(result).replaceAll(/opened \d+\n/g, "")).toBe("x whole\n");
    });

    it("a command that ends or stops its supervisor gains nothing: all of it is dead when that is answered", async ({
      skip,
    }) => {
      if (!world().sandbox.probe.restricted) skip("Restricted is refused here");
      for (const signal of ["KILL", "STOP"]) {
        const mark = `parley-upward-${process.pid}-${signal}-${world().name.replaceAll(/\W/g, "")}`;
        const abort = new AbortController();
        const script = `exec -a ${mark} bash -c '
          (setsid bash -c "(setsid sleep 600 &) ; exec -a ${mark} sleep 600" &)
          sleep 0.1; kill -${signal} $PPID; echo tried; sleep 600'`;
        const result = await world().sandbox.run(
          {
            policy: world().policy("restricted"),
            argv: ["/bin/bash", "-c", script],
            env: ENV,
            timeoutMs: 120_000,
            keep: { head: 100, tail: 0 },
          },
          { signal: abort.signal, onOutput: () => abort.abort() },
        );
        expect(["killed", "signalled"]).toContain(result.kind);
        expect(await isRunning(mark)).toBe(false);
      }
    });
  },
  { more: "kernels" },
);
