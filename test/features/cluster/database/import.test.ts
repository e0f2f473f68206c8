/** A single host's database becomes one that several share, whatever interrupts it; and what doctor says of that one. */

import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFleetDatabase } from "../../../../src/features/cluster/database/fleet-database.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { openStoreForReading } from "../../../../src/store/sqlite.ts";
import { blocksOf, readPage } from "../../../docs/told.ts";
import { startCutting } from "../../../fakes/cutting.ts";
import { addressOf, sharedPostgres } from "../../../fakes/postgres.ts";
import { openAt, temporary } from "../../../store/kit.ts";
import { beginIn, commitOf, notice, takeIn } from "../../../store/plain.ts";
import { asked, createHost, openDatabase, rowsIn } from "./fleet.ts";

const postgres = await sharedPostgres();

/** A database with 700 conversations of which each took a step: several pieces of an import. */
const single = async (): Promise<string> => {
  const directory = join(temporary(), "data");
  const store = openAt(directory);
  const steps = Array.from({ length: 700 }, async (_, n) => {
    const state = await beginIn(store, `c-${n}`);
    await takeIn(store, commitOf(state, { posts: [notice("a", n)] }));
  });
  await Promise.all(steps);
  await store.close();
  return directory;
};

const killed = (): never => {
  throw new Error("killed");
};

describe.skipIf(postgres === null)("an import", () => {
  it("goes on where it was interrupted, and no host begins before its end", async () => {
    if (postgres === null) return;
    const address = await postgres.create();
    const cutting = await startCutting(postgres.directory);
    onTestFinished(() => cutting.end());
    const directory = await single();
    const file = join(directory, "parley.sqlite");
    const before = rowsIn(file);
    const database = await openDatabase(
      addressOf(cutting.directory, new URL(address).pathname.slice(1)),
      "one",
    );
    const shares: number[] = [];
    /** The database goes away for good in the middle of it. */
    const interrupted = database.importFrom(file, (share) => {
      shares.push(share);
      if (shares.length === 2) cutting.cut("after", "INSERT INTO parley.rows");
      if (shares.length === 3) throw new Error("killed");
    });
    await expect(interrupted).rejects.toThrow("killed");
    expect(cutting.cuts()).toBe(1);
    const two = await createHost(address, "two");
    const waiting = new AbortController();
    const joining = two.database.join(two.file, silentLog, waiting.signal);
    expect(await database.importFrom(file, (share) => shares.push(share))).toEqual({ kind: "done" });
    waiting.abort();
    const lease = await joining;
    await (lease?.kind === "lease" ? lease.release() : undefined);
    expect(shares).toEqual([...new Set(shares)].toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    const [second, third] = [await two.enter(), await (await createHost(address, "three")).member()];
    expect(rowsIn(two.file)).toEqual(before);
    expect([second.isHeld(), third.store.list(9, null).length]).toEqual([true, 9]);
    expect(tracesIn(two.directory)).toEqual(tracesIn(directory));
    expect(await database.importFrom(file, () => {})).toMatchObject({ kind: "trouble" });
    await expect((await createHost(address, "four", directory)).enter()).rejects.toThrow("parley import");
  });

  it("that another version began is made from its start", async () => {
    const address = (await postgres?.create()) ?? "";
    const file = join(await single(), "parley.sqlite");
    const before = rowsIn(file);
    const one = await createHost(address, "one");
    await expect(one.database.importFrom(file, killed)).rejects.toThrow("killed");
    await asked(address, `UPDATE parley.lease SET importing = replace(importing, '"rows"', '"count"')`);
    expect(await one.database.importFrom(file, () => {})).toEqual({ kind: "done" });
    await one.enter();
    expect(rowsIn(one.file)).toEqual(before);
  });

  it("is refused by a database that is in use, and of a file that is none", async () => {
    const address = (await postgres?.create()) ?? "";
    const one = await createHost(address, "one");
    await one.enter();
    const file = join(await single(), "parley.sqlite");
    expect(await one.database.importFrom(file, () => {})).toMatchObject({
      kind: "trouble",
      why: expect.stringContaining("one is active"),
    });
    expect(await one.database.importFrom(join(temporary(), "none"), () => {})).toMatchObject({
      kind: "trouble",
    });
  });
});

const tracesIn = (directory: string): unknown => {
  const opened = openStoreForReading(directory);
  if (opened.kind === "failed") throw new Error(opened.message);
  const conversations = opened.store.list(1_000, null).map(({ conversation }) => conversation.id);
  const traces = conversations.map((id) => [id, opened.store.initial(id), [...opened.store.trace(id)]]);
  opened.store.close();
  return traces;
};

/** Of the page: those that make a database and a role, and those that give the role its rights. */
const statements = (): readonly string[] =>
  blocksOf(readPage("docs/scale.md")).flatMap(({ language, lines }) =>
    language === "sql" ? [lines.replaceAll(/^ +/gm, "")] : [],
  );

describe.skipIf(postgres === null)("a look at the database", () => {
  it("says what it is, and what is wrong with it", async () => {
    if (postgres === null) return;
    const address = await postgres.create();
    const found = await (await openDatabase(address, "one")).inspect();
    expect(found[0]).toMatchObject({ level: "ok", found: expect.stringMatching(/^PostgreSQL 1\d/) });
    expect(found.map(({ remedy }) => remedy)).toContain("Set fsync and synchronous_commit to on.");
    await asked(
      address,
      `CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA parley TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA parley TO guest`,
    );
    const guest = await openDatabase(address.replace("user=parley", "user=guest"), "two");
    const remedies = (await guest.inspect()).map(({ remedy }) => remedy);
    expect(remedies.some((remedy) => remedy?.startsWith("Grant the role"))).toBe(true);
    expect(remedies).not.toContain("Let another role own the schema parley.");
    const [, grants = ""] = statements();
    await asked(address, grants.replaceAll("TO parley;", "TO guest;"));
    const host = await createHost(address.replace("user=parley", "user=guest"), "two");
    await beginIn((await host.member()).store);
    await expect(
      asked(address.replace("user=parley", "user=guest"), "DROP SCHEMA parley CASCADE"),
    ).rejects.toThrow("must be owner");
  });

  it("made as docs/scale.md says is one to begin with, and its role could be less", async () => {
    if (postgres === null) return;
    const [made = ""] = statements();
    const server = addressOf(postgres.directory, "postgres");
    for (const one of made.trim().split("\n"))
      await asked(
        server,
        one.replace("ROLE parley", "ROLE team").replace(/ parley OWNER parley/, " team OWNER team"),
      );
    const address = addressOf(postgres.directory, "team").replace("user=parley", "user=team");
    const host = await createHost(address, "one");
    await beginIn((await host.member()).store);
    const remedies = (await host.database.inspect()).map(({ remedy }) => remedy);
    expect(remedies).toContain("Let another role own the schema parley.");
  });

  it("is encrypted and verified unless the address says otherwise", async () => {
    if (postgres === null) return;
    const name = new URL(await postgres.create()).pathname;
    const cutting = await startCutting(postgres.directory);
    onTestFinished(() => cutting.end());
    const open = `postgres://parley:p%40ss@127.0.0.1:${await cutting.port()}${name}`;
    const settings = { name: "one", version: "1" };
    const refused = await openFleetDatabase({ ...settings, database: open });
    expect(refused).toMatchObject({ kind: "refused", why: expect.stringContaining("SSL") });
    expect(JSON.stringify(refused)).not.toMatch(/p@ss|p%40ss/);
    await openDatabase(`${open}?sslmode=disable`, "one");
  });

  it("a database that is not there may come; one that refuses needs somebody", async () => {
    if (postgres === null) return;
    const settings = { database: addressOf(temporary(), "x"), name: "one", version: "1" };
    expect(await openFleetDatabase(settings)).toMatchObject({ kind: "away" });
    const invalid = { ...settings, database: "postgres://parley:p@ss@[/x" };
    expect(await openFleetDatabase(invalid)).toMatchObject({ kind: "refused" });
    const missing = { ...settings, database: addressOf(postgres.directory, "missing") };
    expect(await openFleetDatabase(missing)).toMatchObject({ kind: "refused" });
  });
});
