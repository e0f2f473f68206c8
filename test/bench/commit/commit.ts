/**
 * Committed steps a second against better-sqlite3 alone: the same rows, in the same groups, as durable, in turns in
 * one process. Once with the disk as it is, and once with an fsync that takes 5 ms longer, as real disks have.
 *
 * The product's side is its own path from an event to the settled commit (transition, view, encoding, the thread
 * that writes, publishing), 500 conversations at once; the other side has its values ready and only binds them. The
 * event loop is measured in rounds of its own, in which nothing is kept for the other side.
 */

import { z } from "zod";
import type { Bench } from "../bench.ts";
import { launch } from "../child.ts";
import { atLeast, atMost, type Figure, measured, skipped } from "../figure.ts";
import { slowDisk } from "./slow-disk.ts";
import { temporary } from "../temporary.ts";

const SLOW = 5;
const report = z.object({
  steps: z.number(),
  rounds: z.array(
    z.object({ ms: z.number(), p99: z.number(), longest: z.number(), group: z.number(), raw: z.number() }),
  ),
});

export const commitBench: Bench = {
  name: "commit",
  what: "committed steps a second against better-sqlite3 alone",
  run: async (scale, note) => {
    const size = scale === "tiny" ? { conversations: 5, rounds: 2 } : { conversations: 500, rounds: 10 };
    await using place = await temporary();
    note("the disk as it is");
    const figures = await compare("this disk", size, {});
    note(`fsync takes ${SLOW} ms longer`);
    const slow = await slowDisk(place.path, SLOW).catch(String);
    return [
      ...figures,
      ...(typeof slow === "string"
        ? [skipped(`fsync + ${SLOW} ms`, slow)]
        : await compare(`fsync + ${SLOW} ms`, size, slow)),
    ];
  },
};

const compare = async (
  disk: string,
  { conversations, rounds: count }: { readonly conversations: number; readonly rounds: number },
  environment: Readonly<Record<string, string>>,
): Promise<readonly Figure[]> => {
  await using place = await temporary();
  const program = new URL("./child.ts", import.meta.url).pathname;
  await using child = launch([program, place.path, String(conversations), String(count)], environment);
  const { steps, rounds } = report.parse(JSON.parse(await child.line()));
  const rate = (ms: number): number => (steps / ms) * 1_000;
  return [
    measured(
      `${disk}: steps`,
      "/s",
      rounds.map(({ ms }) => rate(ms)),
    ),
    measured(
      `${disk}: better-sqlite3 alone`,
      "/s",
      rounds.map(({ raw }) => rate(raw)),
    ),
    measured(
      `${disk}: share of it`,
      "x",
      rounds.map(({ ms, raw }) => raw / ms),
      atLeast(0.5),
    ),
    measured(
      `${disk}: steps of one transaction`,
      "",
      rounds.map(({ group }) => group),
    ),
    measured(
      `${disk}: event loop, p99 of a round`,
      "ms",
      rounds.map(({ p99 }) => p99),
      atMost(50),
    ),
    measured(
      `${disk}: event loop, longest of a round`,
      "ms",
      rounds.map(({ longest }) => longest),
      atMost(50),
    ),
  ];
};
