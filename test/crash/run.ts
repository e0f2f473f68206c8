/**
 * npm run crash [-- DAYS [SEED]]: the whole crash matrix one point at a time over Slack and over Discord, on each as many
 * troubled days as wanted (500), then writes to GitHub and to GitLab, and the real process ended a hundred times in front of Slack and
 * of a browser, and ten times in a storm of webhooks. Exit status 1 where a thread came out otherwise than on a day without trouble.
 *
 * `npm run crash -- storm [SECONDS [TROUBLE]]` (an hour, all): the real process on both platforms with two to five people a
 * thread, while it is killed, ended and frozen, loses all sockets, and platforms, model and disk fail.
 *
 * `npm run crash -- drafts [CHANGES [SEED]]` (500): it is ended while scripted changes are drafted, shown, changed behind
 * their card, applied and published.
 *
 * `npm run crash -- fleet [ENDS]` (20): the active one of three hosts is killed again and again, then frozen and drained, and their
 * database ends and comes back. With `--postgres VERSION` behind it, all tests of several hosts run with that PostgreSQL.
 *
 * `npm run crash -- adversary [SEQUENCES [SEED]]` (a million): a program that wants the worst stands in for the model, and
 * what gets out is counted.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { adversary } from "./adversary/whole.ts";
import { endEverywhere, failEverywhere, refuseEverywhere, type Report, troubledDays } from "./matrix.ts";
import { createDiscordTown } from "./platforms/discord.ts";
import { createSlackTown } from "./platforms/slack.ts";
import { townsOfFeatures } from "./towns.ts";
import { installPostgres } from "../fakes/postgres-package.ts";
import { storm } from "./storm/storm.ts";

if (process.argv[2] === "storm") {
  const stormed = await storm(Number(process.argv[3] ?? "3600"), process.argv[4]);
  console.log(JSON.stringify(stormed, null, 2));
  process.exit(stormed.isClean ? 0 : 1);
}

/** Tests of the real process, in an environment that has more of them than a sample. */
const inVitest = async (files: readonly string[], env: Readonly<Record<string, string>>): Promise<number> => {
  const vitest = spawn("npx", ["vitest", "run", ...files], {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const [code] = await once(vitest, "exit");
  return code === 0 ? 0 : 1;
};

if (process.argv[2] === "drafts") {
  const [changes = "500", begin] = process.argv.slice(3);
  const env = { CRASH_CHANGES: changes, ...(begin === undefined ? {} : { TEST_SEED: begin }) };
  process.exit(await inVitest(["test/crash/drafts"], env));
}

if (process.argv[2] === "fleet") {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(3),
    options: { postgres: { type: "string" } },
    allowPositionals: true,
  });
  const env = { FLEET_ENDS: positionals[0] ?? "20" };
  if (values.postgres === undefined) process.exit(await inVitest(["test/features/cluster/crash"], env));
  const all = [
    "test/features/cluster/crash",
    "test/features/cluster/database",
    "test/features/cluster/join",
    "test/features/cluster/work",
  ];
  process.exit(await inVitest(all, { ...env, TEST_POSTGRES: installPostgres(values.postgres) }));
}

if (process.argv[2] === "adversary") {
  const sequences = Number(process.argv[3] ?? "1000000");
  process.exit(adversary(sequences, Number(process.argv[4] ?? Date.now() % 2 ** 31)) ? 0 : 1);
}

const [days = "500", seed = String(Date.now() % 2 ** 32)] = process.argv.slice(2);

const told = (name: string, { days: lived, met, failures, events }: Report): number => {
  console.log(`${name}: ${met} on ${lived} days, ${events} events replayed, ${failures.length} failures`);
  for (const failure of failures) console.error(failure);
  return failures.length;
};

/** The real process, in front of a Slack and in front of a browser. */
const endForReal = (ends: number): Promise<number> =>
  inVitest(
    [
      "test/crash/kill.test.ts",
      "test/crash/drafts",
      "test/features/forge/crash/kill.test.ts",
      "test/features/forge/crash/story.test.ts",
      "test/features/forge/crash/tended.test.ts",
      "test/crash/browser.test.ts",
      "test/features/watches/webhooks-crash.test.ts",
    ],
    {
      CRASH_ENDS: String(Math.max(40, Math.floor(ends / 5))),
      CRASH_CHANGES: String(Math.max(20, Math.floor(ends / 5))),
    },
  );

let failed = 0;
for (const create of [createSlackTown, createDiscordTown]) {
  const town = await create();
  console.log(town.surface);
  failed += told("ends at every point", await endEverywhere(town, "one at a time"));
  failed += told("faults at every call", await failEverywhere(create, "one at a time"));
  failed += told("a disk that refuses", await refuseEverywhere(town, "one at a time"));
  failed += told(`troubled days of seed ${seed}`, await troubledDays(town, Number(seed), Number(days)));
  for (const violation of town.violations) console.error(violation);
  failed += town.violations.length;
  await town.close();
}
for (const { name, create, strip } of await townsOfFeatures()) {
  const town = await create();
  console.log(name);
  failed += told("ends at every point", await endEverywhere(town, "one at a time"));
  failed += told("faults at every request", await failEverywhere(create, "one at a time", strip));
  for (const violation of town.violations) console.error(violation);
  failed += town.violations.length;
  await town.close();
}
failed += await endForReal(Number(days));
process.exitCode = failed === 0 ? 0 : 1;
