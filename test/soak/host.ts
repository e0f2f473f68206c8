/**
 * The host as `npm start` composes it, in a process of its own, for a Slack whose only limit is the edit interval. The
 * environment is the configuration; the first argument says as JSON which channels work on the one repository. Prints
 * `ready`; on each line `sample` it collects its garbage and says what it holds. Needs `--expose-gc`.
 */

import { createInterface } from "node:readline";
import { z } from "zod";
import { readConfig } from "../../src/app/settings/config.ts";
import { start } from "../../src/app/main.ts";
import { openStore } from "../store/open-store.ts";
import { descendantsOf, openDescriptors, residentMB } from "../bench/start/resident.ts";

const bound = z.array(z.object({ surface: z.string(), channel: z.string() }));

const read = readConfig(process.env, "/nonexistent");
if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
const { config } = read;
const [location = ""] = config.PARLEY_REPOS;
const channels = bound.parse(JSON.parse(process.argv[2] ?? "[]"));

/** What the answer to the first question in each channel does. */
const bindChannels = async (): Promise<void> => {
  const opened = openStore(config.PARLEY_DATA);
  if (opened.kind === "failed") throw new Error(opened.message);
  const repo = { kind: "path", location } as const;
  for (const { surface, channel } of channels) {
    await opened.chat.bind(surface, channel, { repo, by: `${surface}:operator`, at: 1 });
  }
  await opened.store.close();
};

const MB = 2 ** 20;

const sample = async () => {
  // Twice: what has finalizers goes in the second round.
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const children = await descendantsOf(process.pid);
  return {
    heap: heapUsed / MB,
    external: external / MB,
    rss: await residentMB(process.pid),
    descriptors: await openDescriptors(process.pid),
    children: children.length,
    resources: process.getActiveResourcesInfo().filter((kind) => kind !== "Immediate").length,
    seconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  };
};

await bindChannels();
const limits = { budgetOf: () => ({ name: "calls", burst: 1_000_000, every: 2 }), parallel: 64 };
const started = await start(config, location, limits);
if (started.kind !== "started")
  throw new Error(started.kind === "failed" ? started.problems.join("\n") : "it left");
console.log("ready");
for await (const line of createInterface(process.stdin)) {
  if (line === "sample") console.log(JSON.stringify(await sample()));
}
await started.host.close();
