/** Every host writes, and all of them have one history. */

import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConversationId } from "../../../../src/machine/id.ts";
import { DONE } from "../../../../src/ports/host.ts";
import type { RowChange } from "../../../../src/ports/rows.ts";
import type { FleetRows } from "../../../../src/features/cluster/ports/fleet.ts";
import { createFleetRows } from "../../../../src/features/cluster/work/rows.ts";
import { SCHEMA } from "../../../../src/store/base/migrations.ts";
import { openForWriting } from "../../../../src/features/cluster/database/fenced-batch.ts";
import { TABLES } from "../../../store/tables.ts";
import type { WriteJob } from "../../../../src/store/write/write-job.ts";
import { startCutting } from "../../../fakes/cutting.ts";
import { addressOf, sharedPostgres } from "../../../fakes/postgres.ts";
import { openWithConnection } from "../../../store/kit.ts";
import { beginIn, commitOf, takeIn } from "../../../store/plain.ts";
import { asked, createHost, even, rowsIn } from "./fleet.ts";

const postgres = await sharedPostgres();

const create = async (): Promise<string> => (await postgres?.create()) ?? "";

const cuttingTo = async (address: string) => {
  const cutting = await startCutting(postgres?.directory ?? "");
  onTestFinished(() => cutting.end());
  return { cutting, through: addressOf(cutting.directory, new URL(address).pathname.slice(1)) };
};

const deed = fc.record({
  host: fc.constantFrom(0, 1, 2),
  kind: fc.constantFrom("spend", "spend", "own"),
  home: fc.constantFrom("slack/C1", "slack/C2", "slack/C3"),
  amount: fc.integer({ min: 1, max: 9 }),
});
/** What a member of the rows writes. */
const changesOf = (asked: (rows: FleetRows) => unknown): readonly RowChange[] => {
  let written: readonly RowChange[] = [];
  asked(
    createFleetRows({
      select: () => () => [],
      write: (changes) => {
        written = changes;
        return Promise.resolve(DONE);
      },
    }),
  );
  return written;
};

/** As another connection of the host finds them. */
const ownersIn = (file: string): FleetRows["ownerOf"] => {
  const db = new Sqlite(file, { readonly: true });
  onTestFinished(() => void db.close());
  const select = (sql: string) => {
    const statement = db.prepare(sql);
    return (values: RowChange["values"]) => statement.all(values);
  };
  return createFleetRows({ select, write: () => Promise.reject(new Error("it reads")) }).ownerOf;
};

/** Milliseconds. */
const HOUR = 3_600_000;

/** The next push does not arrive, or its answer does not. */
const cut = fc.constantFrom(null, "before", "after");

describe.skipIf(postgres === null)("members", () => {
  it("S1 have one history, whoever is faster and whichever answers are lost", async () => {
    const address = await create();
    const { cutting, through } = await cuttingTo(address);
    const members = ["one", "two", "three"].map(async (name) => {
      const { file, enter } = await createHost(through, name);
      const { push } = await enter();
      const fenced = openForWriting(file, TABLES, push, { say: () => {}, queue: () => {} });
      onTestFinished(() => fenced.close());
      const joining = changesOf((rows) => rows.join(name, push.start.instance));
      await fenced.batch([{ port: "rows", name: "write", given: [joining] }]);
      return { name, fenced, file, owners: ownersIn(file) };
    });
    const hosts = await Promise.all(members);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 6, maxLength: 24 }), cut, async (deeds, when) => {
        run += 1;
        const day = `2026-01-${run}`;
        if (when !== null) cutting.cut(when, "\u0000push\u0000");
        const working = hosts.map(async ({ name, fenced, owners }, host) => {
          const own = deeds.filter((one) => one.host === host);
          const jobs = own.map(
            ({ kind, home, amount }): WriteJob =>
              kind === "own"
                ? {
                    port: "rows",
                    name: "write",
                    given: [changesOf((rows) => rows.own([`${home}-${run}`], name))],
                  }
                : { port: "purse", name: "spend", given: [day, ["day"], amount] },
          );
          const answers = [];
          const found: (readonly [home: string, owner: string | null])[] = [];
          for (let at = 0; at < jobs.length; at += 2) {
            answers.push(...(await fenced.batch(jobs.slice(at, at + 2))));
            for (const { kind, home } of own.slice(at, at + 2))
              if (kind === "own") found.push([`${home}-${run}`, owners(`${home}-${run}`)]);
          }
          return { answers, found };
        });
        const worked = await Promise.all(working);
        for (const { fenced } of hosts) await fenced.look();
        const [first, ...rest] = hosts.map(({ file }) => rowsIn(file));
        for (const rows of rest) expect(rows).toEqual(first);
        const { db, purse } = openWithConnection(hosts[0]?.file);
        const sum = deeds.reduce((all, { kind, amount }) => (kind === "spend" ? all + amount : all), 0);
        expect(purse.spent([day], "day")).toBe(sum);
        for (const answer of worked.flatMap(({ answers }) => answers))
          expect(answer).toEqual({ kind: "done" });
        // What a host found as soon as it had asked is what all have at the end.
        for (const [home, owner] of worked.flatMap(({ found }) => found))
          expect([home, owner]).toEqual([home, hosts[0]?.owners(home)]);
        db.close();
      }),
      { numRuns: 8 },
    );
  });

  it("write at the same time, hear of each other, answer each other, and leave", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const [a, b] = [await one.member(), await two.member()];
    const heard = new Set<string>();
    let joined = 0;
    b.others.heard((changed) => {
      for (const { table, key } of changed) heard.add(`${table} ${key.join()}`);
    });
    a.others.joined(() => {
      joined += 1;
    });
    const write = async (on: typeof a, id: ConversationId): Promise<void> => {
      let state = await beginIn(on.store, id);
      for (let n = 0; n < 10; n += 1) state = await takeIn(on.store, commitOf(state));
    };
    await Promise.all([write(a, "c-1"), write(b, "c-2"), write(a, "c-3"), write(b, "c-4")]);
    await Promise.all([a.fleet.own(["c-3"], "one"), b.fleet.own(["c-4"], "two")]);
    await even(address, one.file, two.file);
    expect(rowsIn(one.file)).toEqual(rowsIn(two.file));
    for (const id of ["c-1", "c-2", "c-3", "c-4"] as const) expect(a.store.load(id)?.state.seq).toBe(10);
    await vi.waitFor(() => expect(heard).toContain("homes c-3"));
    expect(heard).not.toContain("homes c-4");

    await a.store.setTitle("c-1", "of one", null);
    const told = a.others.ask("two", { title: "of two" });
    b.others.serve(async (errand) => {
      expect(b.store.load("c-1")?.conversation.title).toBe("of one");
      await b.store.setTitle("c-2", "of two", null);
      return { errand };
    });
    expect(await told).toEqual({ answer: { errand: { title: "of two" } } });
    expect(a.store.load("c-2")?.conversation.title).toBe("of two");
    expect(await a.others.ask("three", null)).toBeNull();

    expect(await b.fleet.own(["slack/C1"], "two")).toEqual({ kind: "owned", by: ["two"] });
    await a.others.caughtUp();
    expect([a.fleet.members(), a.fleet.ownerOf("slack/C1")]).toEqual([["one", "two"], "two"]);
    joined = 0;
    await b.store.close();
    await b.lease.release();
    await vi.waitFor(() => expect(joined).toBe(1));
    expect([a.fleet.members(), a.fleet.ownerOf("slack/C1")]).toEqual([["one"], null]);
  });

  it("end one that is cut off: its errands are over, and what it writes when it is back changes nothing", async () => {
    const address = await create();
    const { cutting, through } = await cuttingTo(address);
    const a = await (await createHost(address, "one")).member();
    const b = await (await createHost(through, "two")).member();
    const state = await beginIn(b.store);
    await a.others.caughtUp();
    const told = a.others.ask("two", "are you there?");
    cutting.shut();
    await vi.waitFor(() => expect(a.fleet.members()).toEqual(["one"]));
    expect(await told).toBeNull();
    expect(b.lease.isHeld()).toBe(true);
    cutting.open();
    expect(await b.lease.over).toBe("lost");
    expect(await b.store.commit(commitOf(state))).toMatchObject({ kind: "failed", code: "io" });
    expect(a.store.load("c-1")?.state.seq).toBe(0);
  });

  it("whose clock is an hour from the database's, or goes there, keep their lease and share what is theirs", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const a = await one.member();
    const now = Date.now;
    const moved = vi.spyOn(Date, "now").mockImplementation(() => now() + HOUR);
    onTestFinished(() => moved.mockRestore());
    expect(a.lease.isHeld()).toBe(false);
    expect(await a.lease.held()).toBe(true);
    const state = await beginIn(a.store);
    const b = await two.member();
    await even(address, one.file, two.file);
    await takeIn(b.store, commitOf(state));
    const apart = (await two.database.inspect()).map(({ found }) => found);
    expect(apart).toContainEqual(
      expect.stringMatching(/^the clocks of the database and of this host differ by 3[56]\d\d s$/),
    );
    moved.mockRestore();
    expect([await a.lease.held(), await b.lease.held()]).toEqual([true, true]);
    await even(address, one.file, two.file);
    expect(a.store.load("c-1")?.state.seq).toBe(1);
    expect(a.fleet.members()).toEqual(["one", "two"]);
  });

  it("of an older version are waited for; those of them that died are not", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const lease = await one.enter();
    await asked(address, `UPDATE parley.lease SET schema = ${SCHEMA - 1}`);
    const joining = two.enter();
    await vi.waitFor(async () => expect(await one.database.hosts()).toHaveLength(2));
    expect(await one.database.hosts()).toMatchObject([{ active: true }, { active: false }]);
    expect(await lease.held()).toBe(true);
    await asked(
      address,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley one' AND pid IN (
         SELECT pid FROM pg_locks WHERE locktype = 'advisory');
       UPDATE parley.hosts SET instance = gen_random_uuid() WHERE name = 'one'; NOTIFY parley_hosts, ''`,
    );
    await joining;
    expect(await asked(address, "SELECT schema FROM parley.lease")).toEqual([{ schema: SCHEMA }]);
  });
});
