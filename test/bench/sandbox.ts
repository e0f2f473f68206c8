/**
 * What the sandbox adds to starting a command, and what many starts at once do to the host.
 *
 * `bash -c true` in Restricted, asked for and awaited in JavaScript through the spawn server as a tool does, against
 * the same by posix_spawn from a C program, and against bubblewrap started by that C program with comparable
 * namespaces and no seccomp filter. They take turns in one run and the ratio is formed turn by turn. The comparison
 * favours the others: they are timed in C, ours includes Node's event loop and both ways through the pipe.
 *
 * Then 200 commands at once, 100 in flight: how long the host's event loop was held up at the worst,
 * beside the same with Node's own spawn, both with 400 MB in use as a busy host may have (D24).
 */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { locateLauncher } from "../../sandbox/locate.ts";
import { createSandbox } from "../../sandbox/server.ts";
import type { Policy, Sandbox } from "../../sandbox/types.ts";
import { createSlots } from "../../src/runtime/slots.ts";
import type { Bench } from "./bench.ts";
import { type Child, launchProgram } from "./child.ts";
import { type Figure, measured, skipped } from "./figure.ts";
import { smallRepository } from "./repository.ts";
import { temporary } from "./temporary.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const NOTHING = ["/bin/bash", "--noprofile", "--norc", "-c", "true"];
const BWRAP = "/usr/bin/bwrap";

export const sandboxBench: Bench = {
  name: "sandbox",
  what: "starting `bash -c true` in Restricted, beside plain and bubblewrapped starts",
  run: async (scale, note) => {
    const size = scale === "tiny" ? { starts: 5, waves: 1, each: 5 } : { starts: 300, waves: 5, each: 200 };
    await using place = await temporary();
    const located = await locateLauncher(join(place.path, "bin"));
    if (located.kind === "failed") return [skipped("Restricted", located.reason)];
    const sandbox = await createSandbox({ launcher: located.path });
    try {
      if (sandbox.probe.refusal !== null) return [skipped("Restricted", sandbox.probe.refusal)];
      const policy = restricted(await smallRepository(join(place.path, "repo")));
      note(`tier ${sandbox.probe.tier}, ${size.starts} starts of each kind`);
      const starts = await compareStarts(sandbox, policy, place.path, size.starts);
      note(`${size.waves} waves of ${size.each} commands`);
      return [...starts, ...(await compareWaves(sandbox, policy, size))];
    } finally {
      await sandbox.close();
    }
  },
};

const restricted = (source: string): Policy => ({
  profile: "restricted",
  network: "none",
  mounts: [{ source, target: "/work", write: false }],
  cwd: "/work",
  identity: 8_999,
});

/** Milliseconds from asking to knowing how it ended. */
const startHere = async (sandbox: Sandbox, policy: Policy): Promise<number> => {
  const from = performance.now();
  const keep = { head: 1024, tail: 1024 };
  const ran = await sandbox.run({ policy, argv: NOTHING, env: { PATH }, timeoutMs: 30_000, keep });
  if (ran.kind !== "exited" || ran.code !== 0) throw new Error(`the command ended as ${JSON.stringify(ran)}`);
  return performance.now() - from;
};

const startThere = async (child: Child): Promise<number> => {
  child.write(".");
  return Number(await child.line()) / 1e6;
};

const compareStarts = async (
  sandbox: Sandbox,
  policy: Policy,
  directory: string,
  starts: number,
): Promise<readonly Figure[]> => {
  const ours: number[] = [];
  const program = await compile(directory);
  if (program === null) {
    for (let n = 0; n < starts; n++) ours.push(await startHere(sandbox, policy));
    return [measured("Restricted", "ms", ours), skipped("plain posix_spawn", "there is no C compiler")];
  }
  const hasBwrap = await access(BWRAP).then(
    () => true,
    () => false,
  );
  await using plain = launchProgram(program, NOTHING);
  await using wrapped = launchProgram(program, [BWRAP, ...WRAP, ...NOTHING]);
  const theirs: number[] = [];
  const bubbled: number[] = [];
  for (let n = 0; n < starts; n++) {
    ours.push(await startHere(sandbox, policy));
    theirs.push(await startThere(plain));
    if (hasBwrap) bubbled.push(await startThere(wrapped));
  }
  const ratio = (others: readonly number[]): readonly number[] =>
    ours.map((time, n) => time / (others[n] ?? Infinity));
  const alone = [
    measured("Restricted", "ms", ours),
    measured("plain posix_spawn", "ms", theirs),
    measured("Restricted / plain", "x", ratio(theirs)),
  ];
  if (!hasBwrap) return [...alone, skipped("bubblewrap", `there is no ${BWRAP}`)];
  return [
    ...alone,
    measured("bubblewrap", "ms", bubbled),
    measured("Restricted / bubblewrap", "x", ratio(bubbled)),
  ];
};

const WRAP = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];

const compile = async (directory: string): Promise<string | null> => {
  const program = join(directory, "spawn");
  const source = join(import.meta.dirname, "spawn.c");
  try {
    await promisify(execFile)("cc", ["-O2", "-o", program, source]);
    return program;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

const IN_FLIGHT = 100;
const BALLAST = 400 * 2 ** 20;

const compareWaves = async (
  sandbox: Sandbox,
  policy: Policy,
  { waves, each }: { readonly waves: number; readonly each: number },
): Promise<readonly Figure[]> => {
  /* Touched on every page, and read at the end, so that it is really there. */
  const ballast = Buffer.alloc(BALLAST, 1);
  const ours: Wave[] = [];
  const nodes: Wave[] = [];
  for (let wave = 0; wave < waves; wave++) {
    ours.push(await watchLoop(each, () => startHere(sandbox, policy)));
    nodes.push(await watchLoop(each, spawnHere));
  }
  if (ballast.at(-1) !== 1) throw new Error("the ballast is gone");
  const rows = (name: string, list: readonly Wave[]): readonly Figure[] => [
    measured(
      `${each} at once, ${name}: longest stall of the loop`,
      "ms",
      list.map(({ worst }) => worst),
    ),
    measured(
      `${each} at once, ${name}: all done`,
      "ms",
      list.map(({ took }) => took),
    ),
  ];
  return [...rows("spawn server", ours), ...rows("Node's spawn", nodes)];
};

interface Wave {
  readonly worst: number;
  readonly took: number;
}

/** Milliseconds between two looks at the loop. */
const RESOLUTION = 1;

const watchLoop = async (count: number, start: () => Promise<unknown>): Promise<Wave> => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  await sleep(20);
  histogram.reset();
  const slots = createSlots(IN_FLIGHT);
  const { signal } = new AbortController();
  const from = performance.now();
  await Promise.all(
    Array.from({ length: count }, async () => {
      const release = await slots.take(signal);
      await start();
      release?.();
    }),
  );
  const took = performance.now() - from;
  await sleep(5);
  histogram.disable();
  /* In nanoseconds, between two looks, of which the resolution is none of the loop's. */
  return { worst: Math.max(0, histogram.max / 1e6 - RESOLUTION), took };
};

const spawnHere = async (): Promise<void> => {
  const [program = "", ...args] = NOTHING;
  await once(spawn(program, args, { env: { PATH }, stdio: ["ignore", "ignore", "ignore"] }), "exit");
};
