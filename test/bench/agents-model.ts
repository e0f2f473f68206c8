/**
 * The model of `npm run bench agents`, in a process of its own: `agents-model.ts COUNT LATENCY`. Whoever is asked by
 * people starts COUNT sub-agents; each of them hands in its result LATENCY ms after it asked. For every turn a line says
 * how many milliseconds lie between the request that starts them and the one that brings what they came to.
 */

import { setTimeout as after } from "node:timers/promises";
import { createFakeAnthropic } from "../fakes/anthropic/fake.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import type { Exchange } from "../fakes/shared/exchange.ts";

const [count = 10, latency = 2_000] = process.argv.slice(2).map(Number);
const fake = await createFakeAnthropic();
process.stdin.resume().on("end", () => process.exit(0));
console.log(JSON.stringify({ url: fake.url, apiKey: fake.apiKey }));

const isAgent = ({ body }: Exchange): boolean => JSON.stringify(body).includes("You are a sub-agent");
const isDone = ({ body }: Exchange): boolean => JSON.stringify(body).includes("sub-agents finished");

for (let turn = 1; ; turn += 1) {
  const tasks = Array.from({ length: count }, (_, index) => ({ task: `task ${turn}.${index + 1}.` }));
  fake.scriptFor((one) => !isAgent(one) && !isDone(one), call("spawn_agents", { tasks }));
  fake.scriptFor((one) => !isAgent(one) && isDone(one), say("Done."));
  const gates = tasks.map(() => fake.gate());
  for (const [index, { task }] of tasks.entries()) {
    const answer = { ...call("submit_result", { result: `Done with ${task}` }), hold: gates[index] };
    fake.scriptFor((one) => isAgent(one) && JSON.stringify(one.body).includes(task), answer);
  }
  await fake.nextRequest();
  const begun = performance.now();
  for (const gate of gates) void gate.reached.then(() => after(latency)).then(() => gate.open());
  for (let agents = 0; agents < count; agents += 1) await fake.nextRequest();
  await fake.nextRequest();
  console.log(JSON.stringify(performance.now() - begun));
}
