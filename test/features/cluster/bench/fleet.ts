/** A database that hosts share: what it takes of a turn, what three hosts carry beside one, and a start with very many conversations. */

import { join } from "node:path";
import { startPostgres } from "../../../fakes/postgres.ts";
import type { Bench } from "../../../bench/bench.ts";
import { skipped } from "../../../bench/figure.ts";
import { temporary } from "../../../bench/temporary.ts";
import { ofATurn } from "./of-a-turn.ts";
import { startOfMany } from "./start-of-many.ts";
import { threeBesideOne } from "./three-beside-one.ts";

export const fleetBench: Bench = {
  name: "fleet",
  what: "what a database that hosts share takes of a turn, and what three hosts carry beside one",
  run: async (scale, note) => {
    const postgres = await startPostgres("fsync=on");
    if (postgres === null) return [skipped("a turn", "PostgreSQL is not installed")];
    const isTiny = scale === "tiny";
    await using place = await temporary();
    try {
      return [
        ...(await ofATurn(await postgres.create(), join(place.path, "turn"), isTiny ? 5 : 200)),
        ...(await threeBesideOne(postgres, join(place.path, "hosts"), isTiny, note)),
        ...(await startOfMany(await postgres.create(), join(place.path, "many"), isTiny, note)),
      ];
    } finally {
      await postgres.end();
    }
  },
};
