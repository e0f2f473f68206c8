/**
 * The fake Messages API in a process of its own, sending many answers at once at the pace of a real model: every
 * conversation gets a chunk each `interval` ms, evenly staggered. Open loop: a chunk is due when it is due, whatever
 * became of the one before. Arguments: conversations, chunks, interval. Says where it listens; on the line `go` it
 * waits until every request has come, sends, and says when each chunk was let go.
 */

import { createInterface } from "node:readline";
import { createFakeAnthropic } from "../../fakes/anthropic/fake.ts";
import { monotonic } from "../clock.ts";

const [conversations = 0, chunks = 0, interval = 0] = process.argv.slice(2).map(Number);
const fake = await createFakeAnthropic();
console.log(JSON.stringify({ url: fake.url, apiKey: fake.apiKey }));

const gateOf = (round: number, conversation: number, chunk: number): string =>
  `${round}/${conversation}/${chunk}`;

const script = (round: number): void => {
  for (let c = 0; c < conversations; c++) {
    const text = Array.from({ length: chunks }, (_, k) => [
      { gate: gateOf(round, c, k) },
      `#${k} some words of an answer `,
    ]).flat();
    fake.scriptFor({ contains: `[stream ${c} of ${round}]` }, { content: [{ kind: "text", text }] });
  }
};

const send = async (round: number): Promise<readonly (readonly number[])[]> => {
  const numbers = Array.from({ length: conversations }, (_, c) => c);
  await Promise.all(numbers.map((c) => fake.gate(gateOf(round, c, 0)).reached));
  const begun = monotonic() + interval;
  return Promise.all(numbers.map((c) => pace(round, c, begun + (c * interval) / conversations)));
};

const pace = (round: number, conversation: number, begun: number): Promise<readonly number[]> => {
  const { promise, resolve } = Promise.withResolvers<readonly number[]>();
  const sent: number[] = [];
  const next = (): void => {
    sent.push(monotonic());
    fake.gate(gateOf(round, conversation, sent.length - 1)).open();
    if (sent.length === chunks) resolve(sent);
    else setTimeout(next, Math.max(0, begun + sent.length * interval - monotonic()));
  };
  setTimeout(next, Math.max(0, begun - monotonic()));
  return promise;
};

let round = 0;
script(round);
for await (const _ of createInterface(process.stdin)) {
  console.log(JSON.stringify(await send(round)));
  round += 1;
  script(round);
}
if (fake.violations.length > 0) console.error(fake.violations);
await fake.close();
