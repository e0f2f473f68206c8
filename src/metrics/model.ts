/** Requests to the model: how many, how they ended, how long, tokens and money. */

import { Counter, Histogram, type Registry } from "prom-client";
import type { Usage } from "../machine/words.ts";
import type { Clock } from "../ports/host.ts";
import type { Model } from "../ports/model.ts";

const BUCKETS = [0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320];

export const measureModel = (registry: Registry, clock: Clock): ((model: Model) => Model) => {
  const registers = [registry];
  const seconds = new Histogram({
    name: "parley_model_request_seconds",
    help: "Time from a request to the end of its answer, by how it ended.",
    labelNames: ["outcome"],
    buckets: BUCKETS,
    registers,
  });
  const tokens = new Counter({
    name: "parley_model_tokens_total",
    help: "Tokens as the model counted them.",
    labelNames: ["kind"],
    registers,
  });
  const dollars = new Counter({
    name: "parley_model_cost_dollars_total",
    help: "What the answers cost by the price catalogue.",
    registers,
  });
  const add = (usage: Usage): void => {
    tokens.inc({ kind: "input" }, usage.input);
    tokens.inc({ kind: "output" }, usage.output);
    tokens.inc({ kind: "cache_read" }, usage.cacheRead);
    tokens.inc({ kind: "cache_write" }, usage.cacheWrite);
    dollars.inc(usage.costMicroUsd / 1_000_000);
  };
  return (model) => ({
    ...model,
    respond: async (request, hooks) => {
      const began = clock.now();
      const answer = await model.respond(request, hooks);
      seconds.observe({ outcome: answer.kind }, Math.max(0, clock.now() - began) / 1_000);
      // What the provider counted is spent, whether or not the answer was of use.
      if (answer.usage !== undefined) add(answer.usage);
      return answer;
    },
  });
};
