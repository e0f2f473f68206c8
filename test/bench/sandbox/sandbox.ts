/** What the sandbox adds to starting a command, what many starts at once do to the host, how fast it kills, and who pays. */

import { KINDS, missingFor, openWorld } from "../../sandbox/world.ts";
import type { Bench } from "../bench.ts";
import { type Figure, skipped } from "../figure.ts";
import { compareKills } from "./kills.ts";
import { compareNeighbours } from "./neighbours.ts";
import { compareStarts, compile } from "./starts.ts";
import { compareWaves } from "./waves.ts";
import { temporary } from "../temporary.ts";

export const sandboxBench: Bench = {
  name: "sandbox",
  what: "starting `bash -c true` in Restricted at every tier, 200 at once, killing, and neighbours of bombs",
  run: async (scale, note) => {
    const size =
      scale === "tiny"
        ? { starts: 3, waves: 1, each: 3, rounds: 2, neighbours: 1 }
        : { starts: 150, waves: 2, each: 200, rounds: 200, neighbours: 9 };
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
        note(`${title}: ${size.starts} starts, ${size.waves} waves of ${size.each}, ${size.rounds} kills`);
        figures.push(...(await compareStarts(world, programs, size.starts)));
        figures.push(...(await compareWaves(world, size)));
        figures.push(...(await compareKills(world, size.rounds)));
        figures.push(...(await compareNeighbours(world, size.neighbours)));
      } finally {
        await world.close();
      }
    }
    return figures;
  },
};
