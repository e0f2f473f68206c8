/** hazard K5, 27, 28, 31 to 33: doors of the kernel that no command needs. */

import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch } from "../scratch.ts";
import { describeArena, PROFILES, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";

/** The host's, but for the 56 bytes of each PostgreSQL, which other tests start and end meanwhile. */
const objects = (): string =>
  execFileSync("/usr/bin/ipcs", ["-a"])
    .toString()
    .split("\n")
    .filter((line) => !/ 56 +\d+ *(?:dest)? *$/.test(line))
    .join("\n");

/** Whether the kernel answers `int $0x80` without any confinement. Some virtual machines end the process with SIGSEGV. */
const hasOldTable = (): boolean => {
  const folder = scratch("old-table");
  const source = `int main(void) { long n = 20; __asm__ volatile("int $0x80" : "+a"(n) : : "memory"); return 0; }`;
  writeFileSync(join(folder, "probe.c"), source);
  execFileSync("/usr/bin/cc", ["-o", join(folder, "probe"), join(folder, "probe.c")]);
  return spawnSync(join(folder, "probe")).signal === null;
};

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`27, 31, 33 ${profile}: io_uring, bpf, perf, keys, handles, modules, clocks and names are closed`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const name = execFileSync("/bin/uname", ["-n"]).toString();
      const attempts = await arena().attack(profile, "kernel");
      expect(attempts).toMatchObject({ through: [], whole: true });
      expect(attempts.refused.filter((line) => !/^(EPERM|ENOSYS|EACCES) /.test(line))).toEqual([]);
      expect(execFileSync("/bin/uname", ["-n"]).toString()).toBe(name);
    });

    it(`28 ${profile}: other system call tables end the process, and unknown calls do not exist`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const attempts = await arena().attack(profile, "numbers");
      expect(attempts).toMatchObject({ through: [], whole: true });
      // EPERM stands for SIGSYS here: nothing else counts, except where the machine itself has no such table.
      if (process.arch !== "x64") return;
      const ended = hasOldTable() ? "EPERM" : "EFAULT";
      expect(attempts.refused).toEqual([
        `${ended} 32-bit getpid`,
        `${ended} 32-bit socket`,
        "EPERM x32 getpid",
        "EPERM x32 socket",
      ]);
    });

    it(`32 ${profile}: shared memory, semaphores and queues of the host cannot be found, and none is left`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const key = `0x${(0x5e0000 + (process.pid & 0xffff)).toString(16).padStart(8, "0")}`;
      const own = execFileSync("/usr/bin/python3", ["-c", MAKE_IPC, key]).toString().trim().split(" ");
      try {
        const before = objects();
        expect(before).toContain(key);
        const attempts = await arena().attack(profile, "shared", key, "/escape-none");
        expect(attempts).toMatchObject({ through: [], whole: true });
        const text = said(
          await arena().shell(
            profile,
            `ipcs -a; ipcmk -M 4096 -S 1 -Q; ipcrm -M ${key} 2>/dev/null; ls /dev/mqueue`,
          ),
        );
        expect(text).not.toContain(key);
        expect(objects()).toBe(before);
      } finally {
        execFileSync("/usr/bin/ipcrm", ["-m", own[0] ?? ""]);
      }
    });
  }

  it("27 to 33 twin: outside the sandbox the kernel of this machine does offer some of it", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { through } = await arena().unconfined("kernel");
    expect(through.length).toBeGreaterThan(2);
  });

  it("27 twin: threads, workers, futexes, timers and file watching of runtimes work", async () => {
    const script = `python3 -c '
import threading, concurrent.futures as c, queue, signal, time
print(sum(c.ThreadPoolExecutor(8).map(lambda n: n * n, range(100))))
signal.setitimer(signal.ITIMER_REAL, 0.01); signal.sigwait([signal.SIGALRM]) if signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]) is not None else 0
print("timer")'`;
    expect(said(await arena().shell("restricted", script))).toBe("328350\ntimer\n");
  });
});

/** Makes a segment with a known key that anybody may attach; prints its id. */
const MAKE_IPC = `
import ctypes, sys
print(ctypes.CDLL(None).shmget(int(sys.argv[1], 16), 4096, 0o1666))`;
