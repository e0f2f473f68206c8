/**
 * sandbox.md 3c and 6, 41 to 43: whatever a command takes without end is taken from it, while the host and others go
 * on. How much of its usual speed another conversation's command keeps meanwhile is printed, not judged.
 */

import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import type { SandboxPolicy, RunResult } from "../../sandbox/types.ts";
import { armKiller, type Killer, OUTER } from "./killer.ts";
import { describeTiers, isRunning, textOf } from "./tiers.ts";
import { ENV, type World } from "./world.ts";

const asRoot = process.getuid?.() === 0;

/** Commands of others while a bomb goes off. */
const ROUNDS = 3;

/** Small, so that breaking them takes no time. */
const BOUNDS = { memoryMib: 256, processes: 100, diskMib: 256 } as const;

/** Each takes 600 MiB or more in a way of its own; the last stays below what one process may have. */
const MEMORY_BOMBS: Readonly<Record<string, string>> = {
  "private, in 30 processes": `
import os, time
for i in range(30):
  if os.fork() == 0:
    x = bytearray(b"x") * (20 * 2**20)
    time.sleep(20); os._exit(0)
time.sleep(20)`,
  "shared and anonymous": `
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
  "shared, and no longer in any table of pages": `
import mmap, time
keep = []
for i in range(30):
  m = mmap.mmap(-1, 20 * 2**20)
  for at in range(0, len(m), 4096): m[at] = 1
  m.madvise(mmap.MADV_DONTNEED)
  keep.append(m)
time.sleep(20)`,
  "memory files, mapped by a page and closed": `
import ctypes, os, time
block = b"x" * 2**20
for i in range(30):
  fd = os.memfd_create("m")
  for n in range(20): os.write(fd, block)
  ctypes.CDLL(None).mmap(None, ctypes.c_size_t(4096), 1, 1, fd, ctypes.c_long(0)) # python's own keeps a descriptor
  os.close(fd)
time.sleep(20)`,
  "a process whose first thread has ended": `
import ctypes, mmap, threading, time
def fill():
  keep = []
  for i in range(30):
    m = mmap.mmap(-1, 20 * 2**20)
    for at in range(0, len(m), 4096): m[at] = 1
    keep.append(m)
  time.sleep(20)
threading.Thread(target=fill).start()
ctypes.CDLL(None).pthread_exit(None)`,
  "page tables of memory that is only read": `
import mmap, time
m = mmap.mmap(-1, 300 * 2**30, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
for at in range(0, len(m), 2**21): m[at]
time.sleep(20)`,
  "the stack of one thread": `
import os, resource, sys
if len(sys.argv) == 1:
  resource.setrlimit(resource.RLIMIT_STACK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
  os.execv(sys.executable, [sys.executable, "-c", sys.orig_argv[2], "deep"])
sys.setrecursionlimit(10**9)
def deep(key): return sorted([0], key=deep)
deep(0)`,
  "90 processes, each below its own limit": `
import os, time
for i in range(90):
  if os.fork() == 0:
    x = bytearray(b"x") * (8 * 2**20)
    time.sleep(20); os._exit(0)
time.sleep(20)`,
};

const isMemory = (result: RunResult): boolean =>
  (result.kind === "signalled" && result.overran === "memory") || textOf(result).includes("MemoryError");

const python = (script: string): readonly string[] => [
  "/usr/bin/python3",
  "-c",
  `print("armed", flush=True)\n${script}`,
];

describeTiers(
  ["T0", "T1", "T2"],
  (world) => {
    let killer: Killer | null = null;
    beforeEach(() => {
      if (asRoot) killer = armKiller(world().uids, 50);
    });
    afterEach(() => {
      killer?.disarm();
      killer = null;
    });
    const speeds = new Map<string, string>();
    afterAll(() => {
      for (const [bomb, speed] of speeds) console.log(`${world().name}: beside ${bomb}: ${speed}`);
    });

    /** Runs a bomb. Once it is armed the host starts a process and another conversation's commands run, one by one. */
    const explode = async (
      name: string,
      argv: readonly string[],
      { profile = "restricted", network = "none", timeoutMs = 120_000 }: Explosion = {},
    ): Promise<RunResult> => {
      const usual = await timeOf(world());
      const armed = Promise.withResolvers<void>();
      const over = new AbortController();
      const bomb = world().sandbox.run(
        {
          policy: world().policy(profile, network),
          argv,
          env: ENV,
          timeoutMs,
          keep: { head: 4096, tail: 4096 },
        },
        { onOutput: () => armed.resolve() },
      );
      void bomb.then(() => over.abort());
      await Promise.race([armed.promise, bomb]);
      const beside: number[] = [];
      const others = async (): Promise<void> => {
        do beside.push(await timeOf(world()));
        while (!over.signal.aborted && beside.length < ROUNDS);
      };
      const [host] = await Promise.all([promisify(execFile)("/bin/echo", ["host"]), others()]);
      expect(host.stdout).toBe("host\n");
      const median = beside.toSorted((a, b) => a - b)[Math.floor(beside.length / 2)] ?? Infinity;
      speeds.set(name, `${((100 * usual) / median).toFixed(0)} % of its speed (${beside.length} commands)`);
      return bomb;
    };

    for (const [name, script] of Object.entries(MEMORY_BOMBS)) {
      it(`memory is bounded for the command as a whole: ${name}`, async () => {
        const mark = `# parley-bomb-${process.pid}-${Math.random()}`;
        const result = await explode(name, python(`${script}\n${mark}`));
        expect([isMemory(result), textOf(result)]).toEqual([true, expect.any(String)]);
        expect(await isRunning(mark)).toBe(false);
      });
    }

    it("memory files under way in messages, where a command has a network", async ({ skip }) => {
      if (world().name === "root without namespaces")
        skip("without id-mapped mounts the checkout is not writable");
      const result = await explode(
        "memory files under way",
        python(`
import array, os, socket, time
block = b"x" * 2**20
ours, theirs = socket.socketpair()
for i in range(40):
  fd = os.memfd_create("m")
  for n in range(20): os.write(fd, block)
  ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))])
  os.close(fd)
time.sleep(20)`),
        { profile: "unrestricted", network: "egress" },
      );
      expect([isMemory(result), textOf(result)]).toEqual([true, expect.any(String)]);
    });

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
    sum(m[at] for at in range(0, len(m), 4096)); time.sleep(0.3); os._exit(0)
for i in range(20): os.wait()
print("whole")`,
      ]);
      expect([textOf(result), result]).toEqual(["whole\n", expect.objectContaining({ kind: "exited" })]);
    });

    it("a segment of System V memory is refused, or bounded, also when nobody has it attached", async () => {
      const result = await explode(
        "System V segments",
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

    for (const [name, pair] of [
      ["pipes", "a, b = os.pipe(); ends = [b]"],
      ["local sockets", "ends = [e.detach() for e in socket.socketpair()]"],
    ]) {
      it(`a table full of ${name} ends or holds`, async () => {
        const result = await explode(
          `full ${name}`,
          python(`
import os, socket
try:
  while True:
    ${pair}
    for end in ends:
      os.set_blocking(end, False)
      try:
        while True: os.write(end, b"x" * 65536)
      except BlockingIOError: pass
except OSError as error: print(error.strerror)`),
        );
        expect(isMemory(result) || /Too many open files|buffer/.test(textOf(result))).toBe(true);
      });
    }

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
          "files in the checkout",
          ["/bin/bash", "-c", `echo armed; ${script}; sleep 20`],
          { profile: "unrestricted" },
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
      const result = await explode("files in tmp", [
        "/bin/bash",
        "-c",
        "echo armed; for i in $(seq 20); do fallocate -l 100M $TMPDIR/$i || exit 3; done; sleep 10",
      ]);
      const full = result.kind === "exited" && result.code === 3;
      expect(full || (result.kind === "signalled" && result.overran !== undefined)).toBe(true);
    });

    it("a flood of output is counted, not kept", async () => {
      const result = await explode("a flood of output", ["/bin/bash", "-c", "echo armed; exec yes"], {
        timeoutMs: 1000,
      });
      expect(result.kind).toBe("timedOut");
      if (result.kind !== "timedOut") return;
      expect(result.total).toBeGreaterThan(result.head.length + result.tail.length);
      expect(result.head.length + result.tail.length).toBe(8192);
    });

    it("24 sessions that spin end with their time", async () => {
      const result = await explode(
        "24 spinning sessions",
        [
          "/bin/bash",
          "-c",
          "for i in $(seq 24); do (setsid bash -c 'while :; do :; done' &); done; echo up; sleep 20",
        ],
        { timeoutMs: 1000 },
      );
      expect(result.kind).toBe("timedOut");
    });
  },
  { bounds: BOUNDS, more: "groups", outer: asRoot ? OUTER : [], slow: true },
);

interface Explosion {
  readonly profile?: SandboxPolicy["profile"];
  readonly network?: SandboxPolicy["network"];
  readonly timeoutMs?: number;
}

/** Milliseconds that a command of another conversation takes for some work of its own. */
const timeOf = async (world: World): Promise<number> => {
  const from = performance.now();
  const result = await world.run(
    "restricted",
    ["/usr/bin/python3", "-c", "n = 0\nwhile n < 200000: n += 1\nprint('done')"],
    {
      policy: { ...world.policy("restricted"), identity: 8 },
    },
  );
  expect(textOf(result)).toBe("done\n");
  return performance.now() - from;
};
