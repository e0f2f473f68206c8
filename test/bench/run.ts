/**
 * npm run bench [NAME…] [--json FILE] [--tiny]: measures, prints a table, keeps the figures. Without a name it measures all
 * benchmarks of results.md and prints one screen of them, with `table` all of them; `last` prints the screen of the kept results.
 * `report FILE…` makes results.md and the table of docs/performance.md, `peers` installs the peers.
 *
 * Comparisons are made side by side in one run and told as ratios, because the machine of tomorrow is another one.
 * Exit status 0 also where a figure is over its target; 1 where a benchmark could not run to its end.
 */

import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Bench, Scale } from "./bench.ts";
import { machineFacts } from "./machine.ts";
import { keptResults, report, TABLE } from "./report.ts";
import { renderScreen } from "./screen.ts";
import { type Outcome, renderTable } from "./table.ts";

type Benches = Readonly<Record<string, () => Promise<Bench>>>;

/** Those of features, from `benches.ts` of their folders. */
const ofFeatures = async (): Promise<Benches> => {
  const found = globSync("../features/*/benches.ts", { cwd: import.meta.dirname });
  const modules = found.map((name): Promise<{ readonly benches: Benches }> => import(`./${name}`));
  return Object.assign({}, ...(await Promise.all(modules)).map(({ benches }) => benches));
};

const BENCHES: Benches = {
  transition: async () => (await import("./transition.ts")).transitionBench,
  step: async () => (await import("./step.ts")).stepBench,
  turns: async () => (await import("./turns.ts")).turnsBench,
  pictures: async () => (await import("./pictures.ts")).picturesBench,
  cost: async () => (await import("./cost/cost.ts")).costBench,
  commit: async () => (await import("./commit/commit.ts")).commitBench,
  classify: async () => (await import("./classify.ts")).classifyBench,
  sandbox: async () => (await import("./sandbox/sandbox.ts")).sandboxBench,
  "sandbox-hold": async () => (await import("./sandbox/sandbox.ts")).sandboxHoldBench,
  stream: async () => (await import("./streams/stream.ts")).streamBench,
  streams: async () => (await import("./streams/streams.ts")).streamsBench,
  agents: async () => (await import("./agents.ts")).agentsBench,
  slack: async () => (await import("./chat/slack.ts")).slackBench,
  forge: async () => (await import("./forge.ts")).forgeBench,
  hooks: async () => (await import("./hooks.ts")).hooksBench,
  stop: async () => (await import("./start/stop.ts")).stopBench,
  start: async () => (await import("./start/start.ts")).startBench,
  idle: async () => (await import("./start/idle.ts")).idleBench,
  "answers-alone": async () => (await import("./answers/answers.ts")).aloneBench,
  "answers-at-once": async () => (await import("./answers/answers.ts")).manyBench,
  "answers-quiet": async () => (await import("./answers/quiet.ts")).quietBench,
  discord: async () => (await import("./chat/discord.ts")).discordBench,
  workspace: async () => (await import("./workspace.ts")).workspaceBench,
  drafts: async () => (await import("./drafts.ts")).draftsBench,
  "set-up": async () => (await import("./set-up.ts")).setUpBench,
  ...(await ofFeatures()),
};

const main = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: "string" }, tiny: { type: "boolean", default: false } },
  });
  const [verb, ...files] = positionals;
  if (verb === "peers") return (await (await import("./peers/peers.ts")).installPeers(console.log)) ? 0 : 1;
  if (verb === "report") return reported(report(files));
  if (verb === "last") {
    console.log(renderScreen(keptResults().benches));
    return 0;
  }
  const wanted =
    verb === "table" || verb === undefined
      ? TABLE.filter((name) => Object.hasOwn(BENCHES, name))
      : positionals;
  const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    console.error(
      `There is no benchmark ${unknown.join(", ")}. There are: ${Object.keys(BENCHES).join(", ")}.`,
    );
    return 1;
  }
  if (verb === undefined)
    console.error(`${TABLE.length} benchmarks, half an hour. What they said last: npm run bench -- last`);
  const before = machineFacts();
  const ran = await runAll(wanted, values.tiny ? "tiny" : "full");
  console.log((verb === undefined ? renderScreen : renderTable)(ran.outcomes));
  if (values.json !== undefined) {
    const scale = values.tiny ? "tiny" : "full";
    const kept = { machine: { ...before, loadAfter: machineFacts().load }, scale, benches: ran.outcomes };
    await writeFile(values.json, `${JSON.stringify(kept, null, 2)}\n`);
  }
  return ran.isWhole ? 0 : 1;
};

const reported = (unexplained: readonly string[]): number => {
  for (const row of unexplained)
    console.error(`falls short, and test/bench/causes.txt does not say why: ${row}`);
  return unexplained.length === 0 ? 0 : 1;
};

/** One after the other, in the order of BENCHES. */
const runAll = async (
  names: readonly string[],
  scale: Scale,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly isWhole: boolean }> => {
  const outcomes: Outcome[] = [];
  let isWhole = true;
  for (const [name, load] of Object.entries(BENCHES)) {
    if (!names.includes(name)) continue;
    const bench = await load();
    console.error(`${name}: ${bench.what}`);

    try {
      const from = performance.now();
      const figures = await bench.run(scale, (line) => console.error(`  ${line}`));
      outcomes.push({ name, what: bench.what, seconds: (performance.now() - from) / 1_000, figures });
    } catch (error) {
      isWhole = false;
      console.error(`${name} could not be measured:`, error);
    }
  }
  return { outcomes, isWhole };
};

process.exitCode = await main(process.argv.slice(2));
