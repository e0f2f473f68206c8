/**
 * The host as `npm start` composes it, in a process of its own, for a Slack whose only limit is the edit interval. The
 * environment is the configuration; the one entry of PARLEY_REPOS is what the channel works on. Prints `ready` with the
 * edit interval of many streams; on the line `measure` it begins anew, on `report` it says what its event loop and its memory came to.
 */

import { slackLimits } from "../../../adapters/slack/write/surface.ts";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { readConfig } from "../../../src/app/settings/config.ts";
import { start } from "../../../src/app/main.ts";
import { openStore } from "../../store/open-store.ts";

const read = readConfig(process.env, "/nonexistent");
if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
const { config } = read;
const [location = ""] = config.PARLEY_REPOS;

/** What the answer to the first question in a channel does. */
const bindChannel = async (): Promise<void> => {
  const opened = openStore(config.PARLEY_DATA);
  if (opened.kind === "failed") throw new Error(opened.message);
  const repo = { kind: "path", location } as const;
  await opened.chat.bind("slack", "CGENERAL", { repo, by: "slack:UALICE", at: 1 });
  await opened.store.close();
};

await bindChannel();
/** No call waits for another one's turn: 1,000 streams share what is earned in less than the edit interval. */
const limits = { budgetOf: () => ({ name: "calls", burst: 1_000_000, every: 2 }), parallel: 64 };
const started = await start(config, location, limits);
if (started.kind !== "started")
  throw new Error(started.kind === "failed" ? started.problems.join("\n") : "it left");

const delay = monitorEventLoopDelay({ resolution: 1 });
const megabytes = (): number => process.memoryUsage.rss() / 1024 / 1024;
let resident: number[] = [];
const sampler = setInterval(() => resident.push(megabytes()), 250);

console.log(`ready ${slackLimits.editShared}`);
for await (const line of createInterface(process.stdin)) {
  if (line === "measure") {
    delay.reset();
    delay.enable();
    resident = [megabytes()];
  } else if (line === "report") {
    const p99 = delay.percentile(99) / 1e6;
    console.log(JSON.stringify({ p99, longest: delay.max / 1e6, resident: Math.max(...resident) }));
  }
}
clearInterval(sampler);
await started.host.close();
