/**
 * Several hosts, one Parley: one is active, the others stand by. Killed, frozen or drained, another one goes on within
 * seconds, and threads are as if nothing had happened; without their database nothing happens until it is back.
 */

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Postgres, startPostgres } from "../../fakes/postgres.ts";
import type { Task } from "../answers.ts";
import { type Alice, CHANNEL, live, threadOf } from "../platforms/person.ts";
import { ofWhole } from "../../sample.ts";
import { plainly } from "../plainly.ts";
import { createFleet, type FleetHost, type Moment } from "./fleet.ts";

/** `npm run crash -- fleet N` ends more. */
const ENDS = Number(process.env["FLEET_ENDS"] ?? ofWhole(9, 1));

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.end());

const tasks: readonly Task[] = ["change", "list"];
const alice: Alice = { choice: "Approve", tasks };

/** What a takeover adds to a thread whose checkout came along. */
const MOVED = /^.*Another host has taken this thread over\.[^\n]*\n?/gm;

type Trouble = Moment | "a question";
const troubles: readonly Trouble[] = [
  "a question",
  "after a call to Slack",
  "a request to the model",
  "before a call to Slack",
];

it("killed, frozen, drained or without its database, nothing is lost and nothing doubled", {
  timeout: 1_800_000,
}, async ({ skip }) => {
  if (postgres === null) return skip();
  const fleet = await createFleet(postgres);
  expect(existsSync(fleet.alone)).toBe(true);
  expect([...fleet.s3.objects.keys()]).toEqual([`parley/blobs/${fleet.picture}`]);
  try {
    let active = await fleet.start("one");
    await active.active;
    const standing = await Promise.all(["two", "three"].map((name) => fleet.start(name)));

    const threadsAre = (root: string): string => plainly(threadOf(fleet.slack, root)).replaceAll(MOVED, "");
    const whole = threadsAre(await live(fleet.slack, alice));

    /** The one that takes over when the active one cannot go on; answers how long that took. */
    const taken = async (since: number): Promise<number> => {
      const next = await Promise.race(standing.map(async (host) => ({ host, at: await host.active })));
      standing.splice(standing.indexOf(next.host), 1);
      active = next.host;
      return next.at - since;
    };
    const rejoins = async ({ name }: FleetHost): Promise<void> => {
      const host = await fleet.start(name);
      await host.standing;
      standing.push(host);
    };
    /** Somebody talks while `hit` befalls the active host. */
    const liveThrough = async (trouble: Trouble, no: number, hit: () => void): Promise<string> => {
      if (trouble !== "a question") fleet.meet(trouble, no, hit);
      const root = await live(fleet.slack, trouble === "a question" ? { ...alice, before: hit } : alice);
      expect(threadsAre(root)).toBe(whole);
      return root;
    };

    await Promise.all(standing.map((host) => host.standing));
    const url = (await standing[0]?.standing) ?? "";
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    const message = "two is standing by: one is the active host.";
    expect(await (await fetch(`${url}/`)).text()).toBe(`${message}\n`);
    expect(await (await fetch(`${url}/api/status`)).json()).toEqual({ error: { code: "standby", message } });
    expect(await fleet.command("hosts")).toMatch(/^one +active[^]*^three +standby[^]*^two +standby/m);

    const times: number[] = [];
    for (let end = 0; end < ENDS; end += 1) {
      const killed = active;
      const takeover = Promise.withResolvers<number>();
      const trouble = troubles[end % troubles.length] ?? "a question";
      const root = await liveThrough(trouble, 2 + (end % 5), () => {
        const since = performance.now();
        killed.process.kill("SIGKILL");
        void taken(since).then(takeover.resolve, takeover.reject);
      });
      // A question is no work that was broken off: it stands as it stood.
      if (trouble === "a question") expect(threadOf(fleet.slack, root)).not.toContain("I was restarted");
      times.push(await takeover.promise);
      await rejoins(killed);
    }

    const frozen = active;
    let sent = Promise.resolve(Number.NaN);
    const thawed = Promise.withResolvers<number>();
    await liveThrough("a request to the model", 1, () => {
      const since = performance.now();
      frozen.process.kill("SIGSTOP");
      // Slack does so with a socket that answers no ping.
      for (const socket of fleet.slack.sockets.open) socket.cut();
      // What it had handed to the kernel goes out all the same.
      sent = sleep(500).then(() => frozen.sent());
      void taken(since).then(thawed.resolve, thawed.reject);
    });
    const freeze = await thawed.promise;
    expect(freeze).toBeLessThan(30_000);
    frozen.process.kill("SIGCONT");
    expect(await frozen.ended()).toBe(4);
    expect(frozen.sent()).toBe(await sent);

    const drained = active;
    const since = performance.now();
    const handed = fleet.command("drain", drained.name);
    const drain = await taken(since);
    expect(await drained.ended()).toBe(0);
    expect(drained.lines.join("\n")).not.toContain("stopping took too long");
    expect(await handed).toContain(`${drained.name} has handed over: ${active.name} is active.`);

    await postgres.stop();
    const talking = live(fleet.slack, { choice: "Approve", tasks: ["list"] });
    await sleep(1_500);
    expect(fleet.slack.world.messages(CHANNEL).at(-1)?.botId).toBeUndefined();
    await postgres.start();
    expect(threadOf(fleet.slack, await talking)).toContain("There are two files.");

    const sorted = times.map(Math.round).toSorted((a, b) => a - b);
    console.log(
      `${times.length} killed: taken over in ${sorted.join(", ")} ms; frozen: ${Math.round(freeze)} ms; drained: ${Math.round(drain)} ms`,
    );
    expect([...fleet.s3.objects.keys()].filter((name) => name.endsWith("/what.json"))).not.toEqual([]);
    expect(JSON.stringify([standing, active].flat().map(({ lines }) => lines))).not.toContain("canary");
    expect(fleet.slack.violations).toEqual([]);
    expect(fleet.model.violations).toEqual([]);
  } finally {
    await fleet.close();
  }
});
