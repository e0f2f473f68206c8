/**
 * Starting, with 100,000 stored conversations and with none.
 *
 * The store's part is what a start asks of it (open, interrupted conversations, unanswered messages, the first page
 * of the list), in a new process each time, modules already loaded. Ready is from starting the process until
 * /healthz has answered 200: first starts have an empty data directory and an empty compile cache; later ones keep
 * both; and with 100,000 conversations the cache is warm. The three kinds take turns. The files are in the page
 * cache in all of them: what a cold disk adds is the disk's. Memory is the resident size of the host's own process
 * right after, and of the launcher's beside it.
 */

import { join } from "node:path";
import { z } from "zod";
import type { Bench } from "../bench.ts";
import { launch } from "../child.ts";
import { atMost, measured } from "../figure.ts";
import { startHost } from "../host.ts";
import { fillStore } from "../many-conversations.ts";
import { descendantsOf, processorTime, residentMB } from "./resident.ts";
import { temporary } from "../temporary.ts";

const laps = z.array(z.number());

export const startBench: Bench = {
  name: "start",
  what: "the store's part, readiness and memory of a start",
  run: async (scale, note) => {
    const { count, rounds } = scale === "tiny" ? { count: 100, rounds: 1 } : { count: 100_000, rounds: 9 };
    await using place = await temporary();
    const many = join(place.path, "many");
    note(`making ${count.toLocaleString("en-US")} conversations`);
    fillStore(many, count);
    note("the store's part");
    const parts: (readonly number[])[] = [];
    for (let round = 0; round < rounds; round++) {
      await using child = launch([new URL("./start-store.ts", import.meta.url).pathname, many]);
      parts.push(laps.parse(JSON.parse(await child.line())));
    }
    note("whole starts");
    const first: Start[] = [];
    const later: Start[] = [];
    const full: Start[] = [];
    for (let round = 0; round < rounds; round++) {
      const fresh = {
        data: join(place.path, `data-${round}`),
        compileCache: join(place.path, `cache-${round}`),
      };
      first.push(await startOnce(fresh));
      later.push(await startOnce(fresh));
      full.push(await startOnce({ ...fresh, data: many }));
    }
    const part = (index: number): readonly number[] => parts.map((times) => times[index] ?? 0);
    const ready = (starts: readonly Start[]) => starts.map(({ readyAfter }) => readyAfter);
    const stored = count.toLocaleString("en-US");
    return [
      measured(
        `store's part, ${stored} conversations`,
        "ms",
        parts.map((times) => times.reduce((sum, time) => sum + time, 0)),
        atMost(100),
      ),
      measured("  open", "ms", part(0)),
      measured("  unsettled", "ms", part(1)),
      measured("  openClaims", "ms", part(2)),
      measured("  list(50)", "ms", part(3)),
      measured("ready, first start", "ms", ready(first), atMost(2_500)),
      measured("ready, later start", "ms", ready(later), atMost(1_200)),
      measured(`ready, later start, ${stored} conversations`, "ms", ready(full), atMost(1_200)),
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
        `resident memory of the host, ${stored} conversations`,
        "MB",
        full.map(({ memory }) => memory),
        atMost(200),
      ),
      measured(
        "resident memory of the launcher",
        "MB",
        full.map(({ launcher }) => launcher),
      ),
    ];
  },
};

interface Start {
  readonly readyAfter: number;
  /** Milliseconds that the host's process used until it was ready. */
  readonly processor: number;
  readonly memory: number;
  readonly launcher: number;
}

const startOnce = async (options: {
  readonly data: string;
  readonly compileCache: string;
}): Promise<Start> => {
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
