/**
 * 200 commands at once, asked for by a host that is as large as a busy one may be: whether all are done in the time that
 * they take one after the other, and how long the host's event loop was held up at the worst, beside the same with Node's own
 * spawn (D24).
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "../../sandbox/world.ts";
import { atMost, type Figure, measured, summarize } from "../figure.ts";
import { NOTHING, otherSandboxes, THEIRS, whyNot } from "./others.ts";
import { startHere } from "./starts.ts";

const BALLAST = 700 * 2 ** 20;
const STALL_MS = 10;

export const compareWaves = async (
  world: World,
  { waves, each }: { readonly waves: number; readonly each: number },
): Promise<readonly Figure[]> => {
  const title = `${world.expected} (${world.name}): ${each} at once`;
  /* Touched on every page, and read at the end, so that it is really there. */
  const ballast = Buffer.alloc(BALLAST, 1);
  const idle: number[] = [];
  for (let n = 0; n < 40; n++) idle.push(await startHere(world));
  const allowed = (1.5 * each * summarize(idle).median) / availableParallelism();
  const ours: Wave[] = [];
  const nodes: Wave[] = [];
  for (let wave = 0; wave < waves; wave++) {
    ours.push(await watchLoop(each, () => startHere(world)));
    nodes.push(await watchLoop(each, () => spawnHere([])));
  }
  const fewer = await compareFewer(world, Math.min(each, 64), waves);
  if (ballast.at(-1) !== 1) throw new Error("the ballast is gone");
  const stall = (list: readonly Wave[]): readonly number[] => list.map(({ worst }) => worst);
  const took = (list: readonly Wave[]): readonly number[] => list.map(({ took: time }) => time);
  return [
    measured(`${title}: longest stall of the loop`, "ms", stall(ours), atMost(STALL_MS)),
    measured(`${title}: all done`, "ms", took(ours), atMost(allowed)),
    measured(`${title}, Node's spawn: longest stall of the loop`, "ms", stall(nodes)),
    measured(`${title}, Node's spawn: all done`, "ms", took(nodes)),
    fewer,
  ];
};

/** Beside others that are quick enough, once: all as a host starts them, those of others by Node's own spawn. */
const compareFewer = async (world: World, count: number, waves: number): Promise<Figure> => {
  const peers: Record<string, number[] | string> = { "a plain spawn": [] };
  const commands = new Map<string, readonly string[]>([["a plain spawn", []]]);
  for (const { name, command, remedy, each } of world.name === "root" ? otherSandboxes() : []) {
    if (each < 0.1) continue;
    const why = await whyNot({ command, remedy });
    peers[name] = why ?? [];
    if (command !== null && why === null) commands.set(name, command);
  }
  const ours: number[] = [];
  for (let wave = 0; wave < waves; wave++) {
    ours.push((await watchLoop(count, () => startHere(world))).took);
    for (const [name, command] of commands) {
      const { took } = await watchLoop(count, () => spawnHere(command));
      const list = peers[name];
      if (Array.isArray(list)) list.push(took);
    }
  }
  return measured(`${world.expected} (${world.name}): ${count} at once, all done`, "ms", ours, null, peers);
};

interface Wave {
  readonly worst: number;
  readonly took: number;
}

/** Milliseconds between two looks at the loop. */
const RESOLUTION = 1;

/** Rejects when one of them is refused. */
const watchLoop = async (count: number, start: () => Promise<unknown>): Promise<Wave> => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  await sleep(20);
  histogram.reset();
  const from = performance.now();
  await Promise.all(Array.from({ length: count }, start));
  const took = performance.now() - from;
  await sleep(5);
  histogram.disable();
  /* In nanoseconds, between two looks, of which the resolution is none of the loop's. */
  return { worst: Math.max(0, histogram.max / 1e6 - RESOLUTION), took };
};

const spawnHere = async (before: readonly string[]): Promise<void> => {
  const [program = "", ...args] = [...before, ...NOTHING];
  await once(spawn(program, args, { env: THEIRS, stdio: ["ignore", "ignore", "ignore"] }), "exit");
};
