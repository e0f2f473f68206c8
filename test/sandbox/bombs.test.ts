/** sandbox.md 3b, 3c: whatever a command takes without end is taken from it, while the host and others go on. */

import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Policy, RunResult } from "../../sandbox/types.ts";
import { describeTiers, ENV, isRunning, textOf, type World } from "./tiers.ts";

/** Runs a bomb; once it says that it is armed, the host starts a process and another conversation runs a command. */
const explode = async (
  world: World,
  argv: readonly string[],
  profile: Policy["profile"] = "restricted",
): Promise<RunResult> => {
  const armed = Promise.withResolvers<void>();
  const bomb = world.sandbox.run(
    {
      policy: world.policy(profile),
      argv,
      env: ENV,
      timeoutMs: 30_000,
      keep: { head: 4096, tail: 4096 },
    },
    { onOutput: () => armed.resolve() },
  );
  await Promise.race([armed.promise, bomb]);
  const [host, beside] = await Promise.all([
    promisify(execFile)("/bin/echo", ["host"]),
    world.run("restricted", ["/bin/echo", "beside"], {
      policy: { ...world.policy("restricted"), identity: 8 },
    }),
  ]);
  expect([host.stdout, textOf(beside)]).toEqual(["host\n", "beside\n"]);
  return bomb;
};

const python = (script: string): readonly string[] => [
  "/usr/bin/python3",
  "-c",
  `print("armed", flush=True)\n${script}`,
];

/** Small, so that breaking them takes no time. */
const BOUNDS = { memoryMib: 256, processes: 100, diskMib: 256 } as const;

/** Each takes 600 MiB or more in a way of its own. */
const MEMORY_BOMBS: Readonly<Record<string, string>> = {
  "private memory in 30 processes": `
import os, time
for i in range(30):
  if os.fork() == 0:
    x = bytearray(b"x") * (20 * 2**20)
    time.sleep(20); os._exit(0)
time.sleep(20)`,
  "shared anonymous memory": `
import mmap, time
keep = []
for i in range(30):
  m = mmap.mmap(-1, 20 * 2**20)
  for at in range(0, len(m), 4096): m[at] = 1
  keep.append(m)
time.sleep(20)`,
  "memory files that nothing maps": `
import os, time
block = b"x" * 2**20
for i in range(30):
  fd = os.memfd_create("m")
  for n in range(20): os.write(fd, block)
time.sleep(20)`,
  "the stack of one thread": `
import os, resource, sys
if len(sys.argv) == 1:
  resource.setrlimit(resource.RLIMIT_STACK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
  os.execv(sys.executable, [sys.executable, "-c", sys.orig_argv[2], "deep"])
sys.setrecursionlimit(10**9)
def deep(key): return sorted([0], key=deep)
deep(0)`,
};

const isMemory = (result: RunResult): boolean =>
  (result.kind === "signalled" && result.overran === "memory") || textOf(result).includes("MemoryError");

describeTiers(
  ["T0", "T1", "T2"],
  (world) => {
    for (const [name, script] of Object.entries(MEMORY_BOMBS)) {
      it(`memory is bounded for the command as a whole: ${name}`, async () => {
        const mark = `# parley-bomb-${process.pid}-${Math.random()}`;
        const result = await explode(world(), python(`${script}\n${mark}`));
        expect([isMemory(result), textOf(result)]).toEqual([true, expect.any(String)]);
        expect(await isRunning(mark)).toBe(false);
      });
    }

    it("memory that is shared by many processes counts once", async () => {
      const result = await world().run("restricted", [
        "/usr/bin/python3",
        "-c",
        `
import mmap, os, time
m = mmap.mmap(-1, 60 * 2**20)
for at in range(0, len(m), 4096): m[at] = 1
for i in range(20):
  if os.fork() == 0:
    sum(m[at] for at in range(0, len(m), 4096)); time.sleep(1); os._exit(0)
for i in range(20): os.wait()
print("whole")`,
      ]);
      expect(textOf(result)).toBe("whole\n");
    });

    it("a segment of System V memory is refused, or bounded, also when nobody has it attached", async () => {
      const result = await explode(
        world(),
        python(`
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
taken = 0
for i in range(24):
  id = libc.shmget(0, 32 * 2**20, 0o1600)
  at = libc.shmat(id, None, 0) if id >= 0 else None
  if at in (None, 2**64 - 1): break
  ctypes.memset(at, 1, 32 * 2**20)
  libc.shmdt(ctypes.c_void_p(at))
  taken += 32
print(taken)`),
      );
      const taken = Number(textOf(result).trim().split("\n").at(-1));
      expect(isMemory(result) || taken <= 256).toBe(true);
    });

    it("a fork bomb that never stops is held at its bound and ends with its time", async () => {
      const mark = `parley-forks-${process.pid}-${world().expected}`;
      const result = await explode(world(), [
        "/bin/bash",
        "-c",
        `echo armed; bomb() { bomb | bomb & }; bomb; exec -a ${mark} sleep 1`,
      ]);
      expect(["exited", "signalled"]).toContain(result.kind);
      expect(await isRunning(mark)).toBe(false);
    });

    it("a full process table of pipes and local sockets ends or holds, and leaves the host its own", async () => {
      const result = await explode(
        world(),
        python(`
import os, socket, sys
keep = []
try:
  while True:
    pair = socket.socketpair()
    for end in pair:
      end.setblocking(False)
      try:
        while True: end.send(b"x" * 65536)
      except BlockingIOError: pass
    keep.append(pair)
except OSError as error: print(error.strerror)`),
      );
      expect(isMemory(result) || /Too many open files|buffer/.test(textOf(result))).toBe(true);
    });

    it("what is written to the checkout is bounded, hidden or not; an honest amount is kept", async ({
      skip,
    }) => {
      if (world().name === "root without namespaces")
        skip("without id-mapped mounts the checkout is not writable");
      const clean = (): unknown =>
        execFileSync("/bin/sh", [
          "-c",
          `chmod -R u+rwX ${world().folder}/work; rm -rf ${world().folder}/work/*`,
        ]);
      for (const script of [
        "for i in $(seq 40); do fallocate -l 100M $i; done",
        "mkdir d; cd d; for i in $(seq 40); do fallocate -l 100M $i; done; chmod 0 .",
      ]) {
        const result = await explode(
          world(),
          ["/bin/bash", "-c", `echo armed; ${script}; sleep 20`],
          "unrestricted",
        );
        expect(result).toMatchObject({ kind: "signalled", overran: "disk" });
        clean();
      }
      const honest = await world().run("unrestricted", [
        "/bin/bash",
        "-c",
        "fallocate -l 90M a && fallocate -l 90M b; sleep 0.6; ls",
      ]);
      expect(textOf(honest)).toBe("a\nb\n");
      clean();
    });

    it("the temporary directory is bounded as a whole", async () => {
      const result = await explode(world(), [
        "/bin/bash",
        "-c",
        "echo armed; for i in $(seq 20); do fallocate -l 100M $TMPDIR/$i || exit 3; done; sleep 10",
      ]);
      const full = result.kind === "exited" && result.code === 3;
      expect(full || (result.kind === "signalled" && result.overran !== undefined)).toBe(true);
    });

    it("while many spin, others get their share (printed, not judged)", async () => {
      const work = "import time; t = time.process_time(); n = 0\nwhile n < 1000000: n += 1";
      const rounds = world().sandbox.probe.residual.some((leak) => leak.includes("processor")) ? 1 : 3;
      const alone = await timeOf(world(), work, rounds);
      const spin = new AbortController();
      const up = Promise.withResolvers<void>();
      const spinner = world().sandbox.run(
        {
          policy: world().policy("restricted"),
          argv: [
            "/bin/bash",
            "-c",
            "for i in $(seq 24); do (setsid bash -c 'while :; do :; done' &); done; echo up; sleep 20",
          ],
          env: ENV,
          timeoutMs: 20_000,
          keep: { head: 9, tail: 9 },
        },
        { signal: spin.signal, onOutput: () => up.resolve() },
      );
      await up.promise;
      const beside = await timeOf(world(), work, rounds);
      spin.abort();
      expect(await spinner).toMatchObject({ kind: "killed" });
      console.log(
        `${world().name}: alone ${alone.toFixed(0)} ms, beside 24 spinners ${beside.toFixed(0)} ms: ${((100 * alone) / beside).toFixed(0)} % of its speed`,
      );
    });
  },
  BOUNDS,
);

/** The median, in milliseconds. */
const timeOf = async (world: World, script: string, rounds: number): Promise<number> => {
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    await world.run("restricted", ["/usr/bin/python3", "-c", script], {
      policy: { ...world.policy("restricted"), identity: 8 },
    });
    took.push(performance.now() - from);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
};
