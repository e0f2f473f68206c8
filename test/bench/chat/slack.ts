/**
 * Slack under load: 200 events a second arrive at the real host, with real Bolt and the real store, from a wire-level
 * Slack in a process of its own that keeps Slack's rate limits. Most are people who talk to each other in live threads,
 * so that each is stored before it is acknowledged; every three seconds a mention opens a thread, whose answer the
 * model's server says in one, four or nine seconds.
 *
 * All is told as the fakes see it: from the moment an event is sent to its acknowledgement, from the moment a mention
 * is said to the first message in its thread.
 */

import { join } from "node:path";
import { z } from "zod";
import type { Bench } from "../bench.ts";
import { launch } from "../child.ts";
import { atMost, measured } from "../figure.ts";
import { startHost } from "../host.ts";
import { smallRepository } from "../repository.ts";
import { temporary } from "../temporary.ts";

const announced = z.object({
  slack: z.object({ apiUrl: z.string(), botToken: z.string(), appToken: z.string() }),
  model: z.object({ url: z.string(), apiKey: z.string() }),
});
const samples = z.array(z.number());
const told = z.object({ acks: samples, silences: samples });

export const slackBench: Bench = {
  name: "slack",
  what: "Slack with 200 events a second: acknowledgements, and the first sign of life in a new thread",
  run: async (scale, note) => {
    const [rate, seconds, between] = scale === "tiny" ? [50, 2, 1] : [200, 60, 3];
    await using place = await temporary();
    const repo = await smallRepository(join(place.path, "repo"));
    await using load = launch([
      new URL("./slack-load.ts", import.meta.url).pathname,
      ...[rate, seconds, between, repo].map(String),
    ]);
    const { slack, model } = announced.parse(JSON.parse(await load.line()));
    await using host = await startHost({
      data: join(place.path, "data"),
      compileCache: join(place.path, "cache"),
      repo,
      slack,
      model,
    });
    note(`${rate} events a second for ${seconds} s at ${host.origin}`);
    load.write("go\n");
    const { acks, silences } = told.parse(JSON.parse(await load.line()));
    return [
      measured(`event to acknowledgement, ${rate} a second`, "ms", acks, atMost(300, "p99")),
      measured("mention to the first message in its thread", "ms", silences, atMost(500, "p95")),
    ];
  },
};
