/** Rounds of killing: how long until all that a command began is dead, and whether anything is left of it. */

import { setTimeout as sleep } from "node:timers/promises";
import { serversOf } from "../../sandbox/host.ts";
import { type Ledger, ledgerOf } from "../../sandbox/ledger.ts";
import { endedWithin } from "../../sandbox/rounds.ts";
import type { World } from "../../sandbox/world.ts";
import { atMost, type Figure, measured } from "../figure.ts";

const DEAD_MS = 100;
/** For what ends after its answer, and for the next one that waits. */
const SETTLED_MS = 300;

export const compareKills = async (world: World, rounds: number): Promise<readonly Figure[]> => {
  const title = `${world.expected} (${world.name})`;
  const [server = 0] = serversOf(process.pid);
  await endedWithin(world, "stop");
  const before = await settled(server, world);
  const stops: number[] = [];
  const timeouts: number[] = [];
  for (let round = 0; round < rounds; round++)
    await (round % 2 === 0
      ? endedWithin(world, "stop").then((ms) => stops.push(ms))
      : endedWithin(world, "timeout").then((ms) => timeouts.push(ms)));
  const after = await settled(server, world);
  return [
    measured(`${title}: all dead after a stop`, "ms", stops, atMost(DEAD_MS, "p99")),
    measured(`${title}: all dead after the time was up`, "ms", timeouts, atMost(DEAD_MS, "p99")),
    measured(
      `${title}: what is left, of processes, descriptors, mounts, groups, namespaces, directories`,
      "",
      [differences(before, after)],
      atMost(0),
    ),
  ];
};

const settled = async (server: number, { uids }: World): Promise<Ledger> => {
  await sleep(SETTLED_MS);
  return ledgerOf(server, uids);
};

const differences = (before: Ledger, after: Ledger): number =>
  Object.entries(after).reduce(
    (sum, [name, count]) =>
      sum + Math.abs(count - (Object.entries(before).find(([key]) => key === name)?.[1] ?? 0)),
    0,
  );
