/** A pooler shares sessions out, and locks and notices belong to one: hosts refuse it, however it is set, and doctor says so. */

import { expect, it, onTestFinished } from "vitest";
import { fleetFindings } from "../../../../src/features/cluster/findings.ts";
import { addressOf, sharedPostgres } from "../../../fakes/postgres.ts";
import { hasPooler, startPooler } from "../../../fakes/pooler.ts";
import { linesOf } from "../../../app/cli/doctor/findings.ts";
import { configured } from "../configured.ts";
import { createHost } from "./fleet.ts";

const postgres = await sharedPostgres();
const isThere = hasPooler();
if (!isThere) console.log("skipped: PgBouncer is not installed (apt-get install pgbouncer)");

/** With this it takes hosts' connections, which it refuses by default. */
const TAKING = "ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout";

it.skipIf(postgres === null || !isThere).each([
  ["session", ""],
  ["session", TAKING],
  ["transaction", ""],
  ["transaction", TAKING],
] as const)("PgBouncer in %s mode is refused: %s", async (mode, more) => {
  if (postgres === null) return;
  const name = new URL(await postgres.create()).pathname.slice(1);
  const pooler = await startPooler(postgres, mode, more);
  onTestFinished(() => pooler.end());
  const through = addressOf(pooler.directory, name);
  await expect(createHost(through, "one")).rejects.toThrow("PARLEY_DATABASE must name the server itself");
  const { settings, core } = configured({ PARLEY_DATABASE: through, PARLEY_SHARED_STORAGE: "none" });
  const [found] = await linesOf(fleetFindings(settings, core));
  expect(found).toMatch(/^error database: .*a connection pooler answers.* -> Correct PARLEY_DATABASE/);
  await (await createHost(addressOf(postgres.directory, name), "one")).enter();
});
