/** Several hosts, one Parley: one is active; killed, frozen or drained, another goes on, and threads are as if nothing had happened. */

import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Postgres, startPostgres } from "../../fakes/postgres.ts";
import { live, threadOf } from "../platforms/person.ts";
import { plainly } from "../plainly.ts";
import { createFleet } from "./fleet.ts";

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.end());

it("first look", { timeout: 120_000 }, async ({ skip }) => {
  if (postgres === null) return skip();
  const fleet = await createFleet(postgres);
  expect(existsSync(fleet.alone)).toBe(true);
  const t0 = performance.now();
  const one = await fleet.start("one");
  await one.active.catch((e) => console.log(e));
  console.log("active", performance.now() - t0, one.lines);
  const two = await fleet.start("two");
  const url = await two.standing;
  console.log(await (await fetch(`${url}/healthz`)).text(), await (await fetch(`${url}/x`)).text());
  console.log(await fleet.command("hosts"));
  const rootTs = await live(fleet.slack, { choice: "Approve", tasks: ["list", "change", "hello"] });
  console.log(plainly(threadOf(fleet.slack, rootTs)).slice(0, 2000));
  one.process.kill("SIGKILL");
  const t1 = performance.now();
  console.log("takeover", (await two.active) - t1, two.lines);
  await fleet.close();
});
