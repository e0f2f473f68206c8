/** What doctor says of several hosts: a database that is not there, a directory that is not mounted. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fleetFindings } from "../../../src/cli/doctor/fleet-findings.ts";
import { scratch } from "../../scratch.ts";
import { configOf, linesOf } from "./findings.ts";

const data = scratch("doctor-fleet");
const away = { PARLEY_DATA: data, PARLEY_DATABASE: `postgres:///parley?host=${data}&user=parley` };
const lines = (env: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  linesOf(fleetFindings(configOf(env)));

it("says nothing of a host that is alone", async () => {
  expect(await lines({ PARLEY_DATA: data })).toEqual([]);
});

it("names what is missing, and what to do about each", async () => {
  const [database, shared, token, ...more] = await lines({ ...away, PARLEY_SHARED: join(data, "unmounted") });
  expect(database).toMatch(/^error database: The database of PARLEY_DATABASE does not answer .* -> /);
  expect(shared).toMatch(/^error shared directory: .*unmounted is no directory.* -> Mount it on every host/);
  expect(token).toMatch(/^warning console token: .* -> Set PARLEY_CONSOLE_TOKEN to the same on all hosts\.$/);
  expect(more).toEqual([]);
});

it("warns where nothing is shared, and where what is shared goes with the host", async () => {
  const token = { PARLEY_CONSOLE_TOKEN: "sixteen-characters" };
  expect((await lines({ ...away, ...token, PARLEY_SHARED: "none" }))[1]).toMatch(
    /^warning shared directory: none: /,
  );
  mkdirSync(join(data, "shared"));
  expect((await lines({ ...away, ...token, PARLEY_SHARED: join(data, "shared") }))[1]).toMatch(
    /^warning shared directory: .* lies on the disk of PARLEY_DATA -> /,
  );
});

it("never repeats a password that it cannot read or use", async () => {
  writeFileSync(join(data, "empty"), "\n");
  const empty = { ...away, PARLEY_SHARED: "none", PARLEY_DATABASE_PASSWORD_FILE: join(data, "empty") };
  expect((await lines(empty))[0]).toContain("empty is empty -> Correct it");
  const wrong = { ...away, PARLEY_SHARED: "none", PARLEY_DATABASE_PASSWORD: "hush-hush-hush" };
  expect((await lines(wrong)).join("\n")).not.toContain("hush");
});
