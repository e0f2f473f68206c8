/**
 * Commands that fork without end (hazard K5, 39, 40): held at their bound, over with their time or their watchdog,
 * and over when the host is killed in the middle, however little the launcher gets to run meanwhile. Every test stands
 * under an outer bound of its own (killer.ts), so that a launcher that fails cannot take the machine.
 */

import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { childrenOf, type Host, hostOf } from "./host.ts";
import { armKiller, countOf, type Killer, OUTER, strike } from "./killer.ts";
import { describeTiers, textOf } from "./tiers.ts";
import type { World } from "./world.ts";

const asRoot = process.getuid?.() === 0;
if (!asRoot)
  console.log("skipped: fork bombs: only root can bound a test's processes and end them by their uid");

/** Each of these fills its process table as fast as it can, and goes on when that is full. */
const LOOPS = {
  sessions: `
  while True:
    try:
      if os.fork() == 0: os.setsid()
    except OSError: pass`,
  daemons: `
  main = True
  for n in range(40):
    try: main = main and os.fork() > 0
    except OSError: pass
    if not main: break
  if main: time.sleep(60)
  while True:
    try:
      if os.fork() > 0: os._exit(0)
      os.setsid()
    except OSError: pass`,
} as const;

const bombOf = (world: World, ...loops: readonly (keyof typeof LOOPS)[]): readonly string[] => [
  "/usr/bin/python3",
  "-c",
  `import os, signal, time
for number in range(1, 32):
  try: signal.signal(number, signal.SIG_IGN)
  except (OSError, ValueError): pass
${loops.map((loop) => `def ${loop}():${LOOPS[loop]}`).join("\n")}
print("armed", flush=True)
while not os.path.exists("${world.work}/go"): time.sleep(0.01)
${loops.map((loop) => `if os.fork() == 0: ${loop}()`).join("\n")}
time.sleep(60)`,
];

const go = (world: World): string => join(world.folder, "work", "go");

/** Of processes: no command gets there that forks once or twice. */
const LOOSE = 35;

describeTiers(
  ["T0", "T1", "T2"],
  (world) => {
    let killer: Killer | null = null;
    beforeEach(() => {
      if (!asRoot) return;
      rmSync(go(world()), { force: true });
      killer = armKiller(world().uids, 40);
    });
    afterEach(({ task }) => {
      if (task.result?.state === "fail") strike(world().uids);
      killer?.disarm();
      killer = null;
    });

    /** Of an ordinary user's: the server and the victim. Commands have a uid of their own where it is root's. */
    const before = (): number => (world().expected === "T0" ? 0 : 2);

    const gone = (): Promise<void> =>
      vi.waitFor(() => expect(countOf(world().uids)).toBe(before()), { interval: 50 });

    const armed = async (starved: (server: number) => readonly number[]): Promise<Host> => {
      const started = await hostOf(world(), bombOf(world(), "sessions", "daemons"));
      for (const pid of starved(started.server)) process.kill(pid, "SIGSTOP");
      writeFileSync(go(world()), "");
      await vi.waitFor(() => expect(countOf(world().uids)).toBeGreaterThan(before() + LOOSE));
      return started;
    };

    for (const loop of ["sessions", "daemons"] as const) {
      it.runIf(asRoot)(
        `forking ${loop}: it ends, others run meanwhile, and nothing of it stays`,
        async () => {
          const bomb = world().run("restricted", bombOf(world(), loop), { timeoutMs: 1000 });
          writeFileSync(go(world()), "");
          const beside = await world().run("restricted", ["/bin/echo", "beside"], {
            policy: { ...world().policy("restricted"), identity: 8 },
          });
          expect(textOf(beside)).toBe("beside\n");
          expect(["timedOut", "signalled"]).toContain((await bomb).kind);
          await gone();
        },
      );
    }

    it.runIf(asRoot)("SIGKILL of the host in the middle, with the launcher starved", async () => {
      // Neither the watchdog nor the supervisor gets to run while it grows: that is what a full machine is like.
      const { host, server } = await armed((pid) => [pid, ...childrenOf(pid)]);
      host.kill("SIGKILL");
      await once(host, "close");
      process.kill(server, "SIGCONT");
      await gone();
    });

    it.runIf(asRoot)("SIGKILL of the server in the middle", async () => {
      const { host, server } = await armed((pid) => [pid]);
      process.kill(server, "SIGKILL");
      await gone();
      host.kill("SIGKILL");
      await once(host, "close");
    });
  },
  { bounds: { memoryMib: 512, processes: 60 }, more: "groups", outer: OUTER, slow: true },
);
