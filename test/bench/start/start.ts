/**
 * Starting, and what is asked of the store all the time, with 10 to 1,000,000 stored conversations.
 *
 * The store's part is what a start asks of it (open, interrupted conversations, unanswered messages), the first page of
 * the list and a step of a new conversation, in a new process each time, modules already loaded. Ready is from starting
 * the process until /healthz has answered 200: first starts have an empty data directory and an empty compile cache; later
 * ones keep the cache. The package is started in the same way. All take turns. The files are in the page cache in all of them: what a cold disk adds is the disk's.
 * Memory is the resident size of the host's own process right after, and of the launcher's beside it.
 */

import { join } from "node:path";
import { z } from "zod";
import type { Bench } from "../bench.ts";
import { launch } from "../child.ts";
import { atMost, measured } from "../figure.ts";
import { stageBundled } from "../../packaging/staged.ts";
import { type HostOptions, startHost } from "../host.ts";
import { fillStore } from "../many-conversations.ts";
import { descendantsOf, processorTime, residentMB } from "./resident.ts";
import { temporary } from "../temporary.ts";

const laps = z.array(z.number());

export const startBench: Bench = {
  name: "start",
  what: "starts, steps and lists with 10 to 1,000,000 stored conversations",
  run: async (scale, note) => {
    const { counts, rounds } =
      scale === "tiny" ? { counts: [10, 100], rounds: 1 } : { counts: [10, 10_000, 1_000_000], rounds: 5 };
    await using place = await temporary();
    const stores = counts.map((count) => {
      const data = join(place.path, `stored-${count}`);
      note(`making ${count.toLocaleString("en-US")} conversations`);
      fillStore(data, count);
      return { stored: `${count.toLocaleString("en-US")} conversations`, data };
    });
    const parts = new Map<string, (readonly number[])[]>(stores.map(({ stored }) => [stored, []]));
    const full = new Map<string, Start[]>(stores.map(({ stored }) => [stored, []]));
    const first: Start[] = [];
    const later: Start[] = [];
    const packaged: { readonly first: Start[]; readonly later: Start[] } = { first: [], later: [] };
    note("staging the package");
    const root = join(place.path, stageBundled(place.path));
    for (let round = 0; round < rounds; round++) {
      note(`round ${round + 1} of ${rounds}`);
      const compileCache = join(place.path, `cache-${round}`);
      const fresh = { data: join(place.path, `data-${round}`), compileCache };
      first.push(await startOnce(fresh));
      later.push(await startOnce(fresh));
      const cached = {
        data: join(place.path, `package-${round}`),
        compileCache: `${compileCache}-package`,
        root,
      };
      packaged.first.push(await startOnce(cached));
      packaged.later.push(await startOnce(cached));
      for (const { stored, data } of stores) {
        await using child = launch([new URL("./start-store.ts", import.meta.url).pathname, data]);
        parts.get(stored)?.push(laps.parse(JSON.parse(await child.line())));
        full.get(stored)?.push(await startOnce({ data, compileCache }));
      }
    }
    const ready = (starts: readonly Start[]) => starts.map(({ readyAfter }) => readyAfter);
    return [
      ...LAPS.flatMap(([what, target], lap) =>
        stores.map(({ stored }) =>
          measured(
            `${stored}: ${what}`,
            "ms",
            parts.get(stored)?.map((times) => times[lap] ?? 0) ?? [],
            target,
          ),
        ),
      ),
      measured("ready, first start", "ms", ready(first), atMost(1_200)),
      measured("ready, later start", "ms", ready(later), atMost(700)),
      measured("the package: ready, first start", "ms", ready(packaged.first), atMost(1_200)),
      measured("the package: ready, later start", "ms", ready(packaged.later), atMost(700)),
      ...stores.flatMap(({ stored }) => [
        measured(`${stored}: ready`, "ms", ready(full.get(stored) ?? []), atMost(1_000)),
        measured(
          `${stored}: resident memory of the host`,
          "MB",
          full.get(stored)?.map(({ memory }) => memory) ?? [],
          atMost(200),
        ),
      ]),
      measured(
        "processor time of a first start",
        "ms",
        first.map(({ processor }) => processor),
      ),
      measured(
        "processor time of a later start",
        "ms",
        later.map(({ processor }) => processor),
      ),
      measured(
        "resident memory of the launcher",
        "MB",
        later.map(({ launcher }) => launcher),
      ),
    ];
  },
};

/** What start-store.ts tells of, in its order. */
const LAPS = [
  ["what a start asks of the store", atMost(100)],
  ["the first page of the list", null],
  ["a step", null],
] as const;

interface Start {
  readonly readyAfter: number;
  /** Milliseconds that the host's process used until it was ready. */
  readonly processor: number;
  readonly memory: number;
  readonly launcher: number;
}

const startOnce = async (options: Pick<HostOptions, "data" | "compileCache" | "root">): Promise<Start> => {
  await using host = await startHost(options);
  const children = await descendantsOf(host.pid);
  const sizes = await Promise.all(children.map((pid) => residentMB(pid)));
  return {
    readyAfter: host.readyAfter,
    processor: await processorTime(host.pid),
    memory: await residentMB(host.pid),
    launcher: sizes.reduce((sum, size) => sum + size, 0),
  };
};
