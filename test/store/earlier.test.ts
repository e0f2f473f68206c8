/** 41: a database, a backup and the rows of several hosts of an earlier version open, and replay to what is stored of them. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import pg from "pg";
import { z } from "zod";
import { openStore } from "./open-store.ts";
import { root, startHost } from "../app/cli/host.ts";
import { startPostgres } from "../fakes/postgres.ts";
import { replayDirectory } from "../replay.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";

const earlier = (name: string): Buffer =>
  gunzipSync(readFileSync(join(import.meta.dirname, "eabb696f", name)));
const counted = z.object({ count: z.coerce.number() });
const COUNT = "SELECT count(*) AS count FROM events";

const eventsIn = (directory: string): number => {
  const db = new Database(join(directory, "parley.sqlite"), { readonly: true });
  const { count } = counted.parse(db.prepare(COUNT).get());
  db.close();
  return count;
};

/** Opened, brought up to the schema of today, and closed. */
const bringUp = async (directory: string): Promise<void> => {
  const opened = openStore(directory);
  if (opened.kind === "failed") throw new Error(opened.message);
  await opened.store.close();
};

it("a database", async () => {
  const data = scratch("earlier");
  writeFileSync(join(data, "parley.sqlite"), earlier("database.sqlite.gz"));
  const events = eventsIn(data);
  await bringUp(data);
  expect(events).toBeGreaterThan(10);
  expect(replayDirectory(data)).toBe(events);
});

it("a backup", async () => {
  const folder = scratch("earlier-backup");
  await execa("tar", ["-x", "-C", folder], { input: earlier("backup.tar.gz") });
  const backup = join(folder, "memory");
  const data = join(scratch("earlier-restored"), "data");
  const { stderr } = await execa(process.execPath, ["bin/parley.js", "restore", backup], {
    cwd: root,
    env: { PARLEY_DATA: data },
  });
  expect(stderr).toBe("");
  const events = eventsIn(data);
  await bringUp(data);
  expect(events).toBeGreaterThan(10);
  expect(replayDirectory(data)).toBe(events);
});

it("the rows of several hosts", async (context) => {
  const postgres = await startPostgres();
  if (postgres === null) return context.skip("no PostgreSQL is installed");
  onTestFinished(() => postgres.end());
  const database = await postgres.create();
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(earlier("hosts.sql.gz").toString("utf8"));
  await client.end();
  const [data, shared] = [scratch("earlier-host"), join(scratch("earlier-shared"), "shared")];
  mkdirSync(shared);
  const host = await startHost(data, {
    PARLEY_DATABASE: database,
    PARLEY_SHARED_STORAGE: shared,
    PARLEY_HOST_NAME: "one",
    PARLEY_MODEL: "demo",
    PARLEY_REPO: await sampleRepo("# a shop\n"),
  });
  onTestFinished(() => void host.process.kill("SIGKILL"));
  const events = eventsIn(data);
  await host.stop("SIGTERM");
  expect(events).toBeGreaterThan(10);
  expect(replayDirectory(data)).toBe(eventsIn(data));
});
