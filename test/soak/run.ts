/**
 * npm run soak [-- SECONDS] [--rate N] [--json FILE]: people talk on Slack and Discord, 20 messages a second where nothing
 * else is said, while one request in about fifty goes wrong. Tells what the host holds over time and what every message
 * came to. Exit status 1 where a message was lost or doubled, a fake met what it never should, or handles were left.
 */

import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { machineFacts } from "../bench/machine.ts";
import { growthOf, leftOver } from "./judge.ts";
import { type Look, soak } from "./soak.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { rate: { type: "string", default: "20" }, json: { type: "string" } },
});
const seconds = Number(positionals[0] ?? "3600");
const rate = Number(values.rate);
if (!(seconds >= 1) || !(rate > 0)) {
  console.error("Usage: npm run soak -- SECONDS [--rate MESSAGES_A_SECOND] [--json FILE]");
  process.exit(1);
}

const fixed = (value: number): string => value.toFixed(1).padStart(8);
const tell = ({ at, said, answered, threads, heap, rss, descriptors, children, seconds: used }: Look): void =>
  console.log(
    `${fixed(at)} s ${String(said).padStart(7)} said ${String(answered).padStart(7)} answered ${threads} threads` +
      `  heap${fixed(heap)} MB  rss${fixed(rss)} MB  ${descriptors} descriptors  ${children} children ${fixed(used)} s of processor`,
  );

console.log(JSON.stringify(machineFacts()));
const soaked = await soak(
  { seconds, rate, samples: Math.max(4, Math.min(120, Math.ceil(seconds / 15))) },
  tell,
);
const { end, first, last } = soaked;
const growth = growthOf(soaked.looks);
const left = leftOver(soaked);
console.log(
  `${end.said} messages, ${end.lost.length} lost, ${end.doubled.length} answered twice, ` +
    `${end.retried} tried again by hand; ${end.spoiled} of ${end.calls + end.requests} requests spoiled`,
);
console.log(
  `after warm-up: heap ${growth.heap.toFixed(2)} MB, resident ${growth.rss.toFixed(2)} MB for 1,000 turns; ` +
    `at the end ${last.heap.toFixed(1)} MB of ${first.heap.toFixed(1)} MB at the beginning, resident ${last.rss.toFixed(1)} MB`,
);
for (const line of [...left, ...end.violations.slice(0, 10), ...end.threads]) console.log(line);
if (values.json !== undefined) {
  await writeFile(
    values.json,
    `${JSON.stringify({ machine: machineFacts(), seconds, rate, soaked, growth }, null, 2)}\n`,
  );
}
const isClean =
  end.lost.length + end.doubled.length + end.violations.length + left.length === 0 && end.said > 0;
process.exitCode = isClean ? 0 : 1;
