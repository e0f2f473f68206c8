/** BASH-008: a command that takes everything gets its share, and the host stays usable. */

import { existsSync, readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { childrenOf, serversOf } from "./host.ts";
import { describeTiers, textOf } from "./tiers.ts";

describeTiers(["T0", "T1", "T2"], (world) => {
  it("a fork bomb is stopped by its limit, the host forks on, and nothing of it remains", async () => {
    const script = `
import os, time
n = 0
try:
  while n < 4000:
    if os.fork() == 0:
      time.sleep(30)
      os._exit(0)
    n += 1
except OSError:
  pass
print(n, flush=True)
time.sleep(0.5)`;
    const bomb = world().run("restricted", ["/usr/bin/python3", "-c", script]);
    const beside = await world().run("restricted", ["/bin/echo", "beside"], {
      policy: { ...world().policy("restricted"), identity: 8 },
    });
    expect(textOf(beside)).toBe("beside\n");
    const result = await bomb;
    // Refused by the kernel, or ended by who counts: whichever of the two a machine of that speed comes to first.
    const forked = Number(textOf(result).trim());
    const ended = result.kind === "signalled" && result.overran === "processes";
    expect([ended || (forked > 100 && forked < 4000), result.kind, forked]).toEqual([
      true,
      result.kind,
      forked,
    ]);
  });

  it("memory of one process, size of a file and number of open files are bounded", async () => {
    const grow = "x = bytearray(); x.extend(bytes(10 * 2**30))";
    expect(textOf(await world().run("restricted", ["/usr/bin/python3", "-c", grow]))).toContain(
      "MemoryError",
    );
    const fine = "x = bytes(100 * 2**20); print(len(x))";
    expect(textOf(await world().run("restricted", ["/usr/bin/python3", "-c", fine]))).toBe("104857600\n");
    const limits = await world().run("restricted", [
      "/bin/bash",
      "-c",
      "ulimit -c; ulimit -n; ulimit -f; ulimit -Hn; ulimit -Hi",
    ]);
    expect(textOf(limits)).toBe("0\n4096\n524288\n4096\n4096\n");
  });

  it("the private tmp is bounded where it is a file system of its own", async ({ skip }) => {
    if (!world().sandbox.probe.mounts) skip("without mount namespaces only each file is bounded");
    const script = "for i in 1 2 3; do head -c 120M /dev/zero > /tmp/$i || echo full; done";
    expect(textOf(await world().run("restricted", ["/bin/bash", "-c", script]))).toMatch(
      /No space left on device[^]*full/,
    );
    expect(
      textOf(
        await world().run("restricted", ["/bin/bash", "-c", "head -c 100M /dev/zero > /tmp/x && echo fits"]),
      ),
    ).toBe("fits\n");
  });

  it("the private tmp leaves the host, closed directories and many files included", async ({ skip }) => {
    if (world().sandbox.probe.mounts) skip("with mount namespaces the host never has it");
    const script =
      "mkdir -p -m 700 $TMPDIR/a/b && for i in {1..500}; do : > $TMPDIR/a/b/$i; done && echo $TMPDIR; chmod 0 $TMPDIR/a/b 2>/dev/null";
    const path = textOf(await world().run("restricted", ["/bin/bash", "-c", script])).trim();
    expect(path).toMatch(/^\/tmp\/parley-tmp-/);
    // A file system of the host: the removal runs beside the server, so it is waited for.
    await vi.waitFor(() => expect(existsSync(path)).toBe(false));
  });

  it("commands stand behind the host: lower priority, first to go when memory is short", async () => {
    const script = "nice; cat /proc/self/oom_score_adj 2>/dev/null || true";
    const lines = textOf(await world().run("restricted", ["/bin/bash", "-c", script]))
      .trim()
      .split("\n");
    expect(Number(lines[0])).toBeGreaterThanOrEqual(5);
    if (world().sandbox.probe.mounts) expect(lines[1]).toBe("1000");
  });

  it("with control groups a crowd of processes stands behind who has few; who has few keeps the full share", async ({
    skip,
  }) => {
    if (!existsSync("/sys/fs/cgroup/cpu/cpu.shares"))
      skip("the processor is in no hierarchy of version 1 here");
    if (!world().sandbox.probe.enforced.join().includes("share of the processor"))
      skip("no control group shares the processor at this tier");
    const stop = new AbortController();
    const [crowd, few] = [40, 2].map((count) => {
      const up = Promise.withResolvers<void>();
      const over = world().sandbox.run(
        {
          policy: world().policy("restricted"),
          argv: sleepers(count),
          env: { PATH: "/usr/bin:/bin" },
          timeoutMs: 60_000,
          keep: { head: 9, tail: 0 },
        },
        { onOutput: () => up.resolve(), signal: stop.signal },
      );
      return { up: up.promise, over };
    });
    await Promise.all([crowd?.up, few?.up]);
    await vi.waitFor(() => expect(sharesOf(serverChildren())).toEqual([256, 1024]));
    stop.abort();
    await Promise.all([crowd?.over, few?.over]);
  });

  it("hours of output leave the server small", async () => {
    const [before] = serverMemory();
    const flood = await world().run("restricted", ["/bin/bash", "-c", "head -c 300M /dev/zero"], {
      keep: { head: 1000, tail: 1000 },
    });
    expect(flood).toMatchObject({ kind: "exited", total: 300 * 2 ** 20 });
    const [after] = serverMemory();
    expect((after ?? 0) - (before ?? 0)).toBeLessThan(4096);
  });
});

/** Resident kilobytes of the servers below this process. */
const serverMemory = (): readonly number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("serve"))
    .map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0"));

/** Of the groups that supervisors with a command below them stand in, the smallest first. */
const sharesOf = (supervisors: readonly number[]): readonly number[] =>
  supervisors
    .filter((pid) => childrenOf(pid).some((child) => childrenOf(child).length > 0))
    .map((pid) => {
      const [, path = ""] = /^\d+:cpu:(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8")) ?? [];
      return Number(readFileSync(`/sys/fs/cgroup/cpu${path}/cpu.shares`, "utf8"));
    })
    .toSorted((a, b) => a - b);

const serverChildren = (): readonly number[] => serversOf(process.pid).flatMap(childrenOf);

const sleepers = (count: number): readonly string[] => [
  "/bin/bash",
  "-c",
  `for i in $(seq ${count}); do sleep 60 & done; echo up; wait`,
];
