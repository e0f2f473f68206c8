/**
 * Several hosts, one Parley: all of them work. Killed, frozen or drained, the others go on within seconds, and threads are as
 * if nothing had happened; without their database nothing happens until it is back.
 */

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { summarize } from "../../../bench/figure.ts";
import { type Postgres, startPostgres } from "../../../fakes/postgres.ts";
import { replayDirectory } from "../../../replay.ts";
import { ofWhole } from "../../../sample.ts";
import { testSeed } from "../../../seed.ts";
import { createChance } from "../../../crash/adversary/chance.ts";
import { CHANNEL, live, threadOf } from "../../../crash/platforms/person.ts";
import { CHANNELS, createChaos, type Round, type Trouble } from "./chaos.ts";
import { createFleet, type Fleet } from "./fleet.ts";
import { copyIn } from "./replicas.ts";
import { until } from "./within.ts";

/** `npm run crash -- fleet N` ends more, and then a third as many freeze. */
const ENDS = Number(process.env["FLEET_ENDS"] ?? ofWhole(9, 1));
const isLong = process.env["FLEET_ENDS"] !== undefined;
const FREEZES = Math.ceil(ENDS / 3);
const SEED = testSeed();

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.end());

const troubles: readonly Trouble[] = [
  "a request to the model",
  "a question",
  "after a call to Slack",
  "at random",
  "before a call to Slack",
];

/** Milliseconds that the model takes for a turn while its host hands over. */
const SLOW = 3_000;

/** Requests to the model that waited at the gate. */
const heldAt = ({ model }: Fleet, gate: string): number =>
  model.requests.filter(({ body }) => JSON.stringify(body).includes(`[held at ${gate}]`)).length;

/** Each trouble befalls each host of three. */
const roundOf = (end: Round["end"], index: number): Round => ({
  end,
  victim: index % 3,
  trouble: troubles[index % troubles.length] ?? "at random",
  no: 1 + (index % 7),
  isStormy: index % 4 === 3,
});

it("killed, frozen, drained or without its database, nothing is lost and nothing doubled", async ({
  skip,
}) => {
  if (postgres === null) return skip();
  const fleet = await createFleet(postgres, CHANNELS);
  expect(existsSync(fleet.alone)).toBe(true);
  expect([...fleet.s3.objects.keys()]).toEqual([`parley/blobs/${fleet.picture}`]);
  try {
    if (isLong) process.stderr.write(`seed ${SEED}\n`);
    const chaos = await createChaos(fleet, createChance(SEED));
    const { callers, order, doorOf } = chaos;
    for (const host of order()) expect((await fetch(`${doorOf(host).origin}/readyz`)).status).toBe(200);
    expect(await fleet.command("hosts")).toMatch(/^one +active[^]*^three +active[^]*^two +active/m);

    const kills: number[] = [];
    const freezes: number[] = [];
    const lives = async (round: Round, times: number[]): Promise<void> => {
      const took = await chaos.round(round);
      times.push(took);
      if (isLong) process.stderr.write(`${JSON.stringify(round)}: ${Math.round(took)} ms\n`);
    };
    for (let end = 0; end < ENDS; end += 1) await lives(roundOf("kill", end), kills);
    for (let end = 0; end < FREEZES; end += 1) await lives(roundOf("freeze", end + 1), freezes);
    expect(freezes).toHaveLength(FREEZES);

    const [drained, other] = order();
    if (drained === undefined || other === undefined) throw new Error("there are no hosts");
    const moved = await callers.begin(doorOf(drained));
    await callers.say(moved, doorOf(drained));
    expect(await fleet.command("move", moved, other.name)).toBe(`${other.name} has ${moved}.\n`);
    await callers.say(moved, doorOf(drained));

    const conversation = await callers.begin(doorOf(drained));
    const { ask, outcome, retry } = callers;
    const slow = await ask(conversation, doorOf(drained), "[held at drain]");
    const { ts } = fleet.slack.as("alice").say("@parley [held at drain] hello", { channel: "general" });
    await until("two turns at work", () => (heldAt(fleet, "drain") === 2 ? true : null));
    const asked = performance.now();
    const handed = fleet.command("drain", drained.name);
    await until("a host that hands over", async () =>
      (await fetch(`${doorOf(drained).origin}/readyz`).catch(() => null))?.status === 503 ? true : null,
    );
    await sleep(SLOW);
    fleet.model.gate("drain").open();
    expect(await drained.ended()).toBe(0);
    chaos.goes(drained);
    expect(await outcome(conversation, slow), "40.B the turn that goes on at a hand-over").toBe("answered");
    const thread = () => threadOf(fleet.slack, ts);
    await until("the answer in the thread", () => (thread().includes("Hello.") ? true : null));
    expect(thread().split("Hello.")).toHaveLength(2);
    expect(thread()).not.toContain("restarted");
    expect(heldAt(fleet, "drain")).toBe(2);
    await callers.say(conversation, doorOf(other));
    const drain = performance.now() - asked;
    expect(drained.lines.join("\n")).not.toContain("stopping took too long");
    expect(await handed).toContain(`${drained.name} has handed over`);
    await chaos.comes(drained.name);

    if (isLong) {
      const endless = await callers.begin(doorOf(other));
      const no = await ask(endless, doorOf(other), "[held at last]");
      expect(await fleet.command("drain", other.name)).toContain(`${other.name} has handed over`);
      expect(await other.ended()).toBe(0);
      chaos.goes(other);
      expect(await outcome(endless, no), "40.B a turn that exceeds the bound").toBe("interrupted");
      fleet.model.gate("last").open();
      await retry(endless);
      await until("an answer to the other try", async () =>
        (await outcome(endless, no)) === "answered" ? true : null,
      );
      await chaos.comes(other.name);
    }

    await postgres.stop();
    const talking = live(fleet.slack, { choice: "Approve", tasks: ["list"] });
    await sleep(1_500);
    expect(fleet.slack.world.messages(CHANNEL).at(-1)?.botId).toBeUndefined();
    await postgres.start();
    expect(threadOf(fleet.slack, await talking)).toContain("There are two files.");

    const { said, lost, doubled } = await callers.verdict();
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
    const copies = await until("the same rows on all hosts", () => {
      const [first, ...rest] = order().map(({ data }) => copyIn(data));
      return rest.every((copy) => JSON.stringify(copy) === JSON.stringify(first)) ? rest : null;
    });
    expect(copies).toHaveLength(2);
    const events = Math.min(...order().map(({ data }) => replayDirectory(data)));
    console.log(
      `seed ${SEED}; ${said} messages over HTTP, ${events} events replayed; ${told("killed", kills)}; ${told("frozen", freezes)}; drained: ${Math.round(drain)} ms`,
    );
    expect([...fleet.s3.objects.keys()].filter((name) => name.endsWith("/what.json"))).not.toEqual([]);
    expect(JSON.stringify(fleet.hosts().map(({ lines }) => lines))).not.toContain("canary");
    expect(fleet.slack.violations).toEqual([]);
    expect(fleet.discord.violations).toEqual([]);
    expect(fleet.model.violations).toEqual([]);
  } finally {
    await fleet.close();
  }
});

const told = (how: string, times: readonly number[]): string => {
  const { median, p99 } = summarize(times);
  const sorted = times.map(Math.round).toSorted((a, b) => a - b);
  return `${times.length} ${how}: taken over in ${sorted.join(", ")} ms (p50 ${Math.round(median)}, p99 ${Math.round(p99)})`;
};
