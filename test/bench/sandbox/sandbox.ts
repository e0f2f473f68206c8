/** What the sandbox adds to starting a command, what many starts at once do to the host, how fast it kills, and who pays. */

import { KINDS, missingFor, openWorld, type World } from "../../sandbox/world.ts";
import type { Bench } from "../bench.ts";
import { type Figure, skipped } from "../figure.ts";
import { compareKills } from "./kills.ts";
import { compareNeighbours } from "./neighbours.ts";
import { compareStarts, compile, type Programs } from "./starts.ts";
import { compareWaves } from "./waves.ts";
import { temporary } from "../temporary.ts";

type Part = (world: World, programs: Programs | null) => Promise<readonly Figure[]>;

export const sandboxBench: Bench = {
  name: "sandbox",
  what: "starting `bash -c true` in Restricted at every tier, alone and many at once, beside other sandboxes",
  run: (scale, note) => {
    const size = scale === "tiny" ? { starts: 3, waves: 1, each: 3 } : { starts: 80, waves: 2, each: 200 };
    return atEveryTier(note, async (world, programs) => [
      ...(await compareStarts(world, programs, size.starts)),
      ...(await compareWaves(world, size)),
    ]);
  },
};

export const sandboxHoldBench: Bench = {
  name: "sandbox-hold",
  what: "how fast Restricted kills at every tier, what it leaves, and the neighbours of bombs",
  run: (scale, note) => {
    const [rounds, neighbours] = scale === "tiny" ? [2, 1] : [200, 9];
    return atEveryTier(note, async (world) => [
      ...(await compareKills(world, rounds)),
      ...(await compareNeighbours(world, neighbours)),
    ]);
  },
};

const atEveryTier = async (note: (line: string) => void, part: Part): Promise<readonly Figure[]> => {
  await using place = await temporary();
  const programs = await compile(place.path);
  const figures: Figure[] = [];
  for (const kind of KINDS.filter(({ more, expected }) => more === undefined && expected !== "T3")) {
    const title = `${kind.expected} (${kind.name})`;
    const missing = missingFor(kind);
    if (missing !== null) {
      figures.push(skipped(title, missing));
      continue;
    }
    const world = await openWorld(kind, [], {});
    try {
      note(title);
      figures.push(...(await part(world, programs)));
    } finally {
      await world.close();
    }
  }
  return figures;
};
