/**
 * What a command keeps of its speed while another conversation's command takes all that it can get, again and again:
 * no less than half where control groups share the processor. Elsewhere the figure is told, and the probe says
 * what is open.
 */

import type { World } from "../../sandbox/world.ts";
import { atLeast, type Figure, measured, summarize } from "../figure.ts";

const python = (script: string): readonly string[] => ["/usr/bin/python3", "-c", script];

/** Bounded in time by itself, too. */
const BOMBS: Readonly<Record<string, readonly string[]>> = {
  "40 spinning processes": [
    "/bin/bash",
    "-c",
    "for i in $(seq 40); do timeout 20 bash -c 'while :; do :; done' & done; wait",
  ],
  "20 spinning sessions": [
    "/bin/bash",
    "-c",
    "for i in $(seq 20); do (setsid timeout 20 bash -c 'while :; do :; done' &); done; sleep 20",
  ],
  "private memory, in 30 processes": python(`
import os, time
for i in range(30):
  if os.fork() == 0:
    x = bytearray(b"x") * (200 * 2**20)
    time.sleep(20); os._exit(0)
time.sleep(20)`),
  "memory files that nothing maps": python(`
import os, time
block = b"x" * 2**20
for i in range(300):
  fd = os.memfd_create("m")
  for n in range(20): os.write(fd, block)
time.sleep(20)`),
  "a flood of output": ["/bin/bash", "-c", "exec timeout 20 yes"],
};

const WORK = python("n = 0\nwhile n < 1500000: n += 1");

/** `rounds`: of the neighbour, beside each of them. */
export const compareNeighbours = async (world: World, rounds: number): Promise<readonly Figure[]> => {
  const shares = world.sandbox.probe.enforced.some((words) => words.includes("share of the processor"));
  const figures: Figure[] = [];
  for (const [name, argv] of Object.entries(BOMBS)) {
    const alone = summarize(await workTimes(world, rounds)).median;
    const stop = new AbortController();
    const bomb = keepUp(world, argv, stop.signal);
    const beside = await workTimes(world, rounds);
    stop.abort();
    await bomb;
    figures.push(
      measured(
        `${world.expected} (${world.name}): speed kept beside ${name}`,
        "x",
        beside.map((time) => alone / time),
        shares ? atLeast(0.5) : null,
      ),
    );
  }
  return figures;
};

/** Begins it again whenever it has been ended. */
const keepUp = async (world: World, argv: readonly string[], signal: AbortSignal): Promise<void> => {
  while (!signal.aborted)
    await world.sandbox.run(
      {
        policy: world.policy("restricted"),
        argv,
        env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
        timeoutMs: 25_000,
        keep: { head: 1024, tail: 0 },
      },
      { signal },
    );
};

const workTimes = async (world: World, rounds: number): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    const policy = { ...world.policy("restricted"), identity: 8 };
    const result = await world.run("restricted", WORK, { policy });
    if (result.kind !== "exited" || result.code !== 0)
      throw new Error(`the neighbour ended as ${result.kind}`);
    times.push(performance.now() - from);
  }
  return times;
};
