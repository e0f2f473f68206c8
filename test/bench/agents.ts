/**
 * Ten sub-agents at once, each with a model that takes two seconds to answer: from the request that starts them to the
 * one that brings what they came to, as the model's server sees it. Three processes: that server, the real host, and this.
 */

import { join } from "node:path";
import { z } from "zod";
import type { Bench } from "./bench.ts";
import { launch } from "./child.ts";
import { atMost, measured } from "./figure.ts";
import { startHost } from "./host.ts";
import { smallRepository } from "./repository.ts";
import { temporary } from "./temporary.ts";

const announced = z.object({ url: z.string(), apiKey: z.string() });

export const agentsBench: Bench = {
  name: "agents",
  what: "ten sub-agents, each with 2 s of model latency",
  run: async (scale, note) => {
    const size =
      scale === "tiny" ? { agents: 2, latency: 50, turns: 1 } : { agents: 10, latency: 2_000, turns: 5 };
    await using place = await temporary();
    await using model = launch([
      new URL("./agents-model.ts", import.meta.url).pathname,
      ...[size.agents, size.latency].map(String),
    ]);
    const server = announced.parse(JSON.parse(await model.line()));
    await using host = await startHost({
      data: join(place.path, "data"),
      compileCache: join(place.path, "cache"),
      repo: await smallRepository(join(place.path, "repo")),
      model: server,
    });
    const took: number[] = [];
    for (let turn = 1; turn <= size.turns; turn += 1) {
      note(`turn ${turn} of ${size.turns}`);
      const status = await host.say(await host.begin(), `Investigate ${turn}.`);
      if (status !== 202) throw new Error(`a message was answered ${status}`);
      took.push(z.number().parse(JSON.parse(await model.line())));
    }
    return [
      measured(`${size.agents} sub-agents, started to told`, "ms", took, atMost(3_000, "p99")),
      measured(
        "of it the host's own",
        "ms",
        took.map((ms) => ms - size.latency),
      ),
    ];
  },
};
