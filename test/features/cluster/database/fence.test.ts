/** Each group follows the one before it, whoever writes it (S1), and a host that was ended changes nothing. */

import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import type { State } from "../../../../src/machine/state.ts";
import { createLink } from "../../../../src/features/cluster/database/link.ts";
import { endMember, joinHosts } from "../../../../src/features/cluster/database/membership.ts";
import { SCHEMA } from "../../../../src/store/base/migrations.ts";
import { LOCK } from "../../../../src/features/cluster/database/fenced-batch.ts";
import {
  after,
  createPush,
  type GroupOrder,
  type ReplicaPosition,
} from "../../../../src/features/cluster/database/push.ts";
import { sharedPostgres } from "../../../fakes/postgres.ts";
import { beginIn, claimOf, commitOf, takeIn } from "../../../store/plain.ts";
import { asked, createHost, even, openDatabase, rowsIn, seqOf } from "./fleet.ts";

const postgres = await sharedPostgres();

const create = async (): Promise<string> => (await postgres?.create()) ?? "";

const NAMES = ["one", "two", "three"] as const;
type Name = (typeof NAMES)[number];

const deed = fc.record({
  kind: fc.constantFrom("join", "end", ...Array.from({ length: 8 }, () => "push" as const)),
  host: fc.constantFrom(...NAMES),
  isAwaited: fc.boolean(),
  follows: fc.constantFrom("all", "all", "aside", "free", "free", "free"),
  key: fc.constantFrom("own", "own", "shared"),
});

/** Groups of the host's own that its file has beyond what it has of all. */
const ownIn = (file: string): readonly unknown[] => {
  const db = new Sqlite(file, { readonly: true });
  const own = String(db.prepare("SELECT own FROM replica").pluck().get());
  db.close();
  return z.array(z.unknown()).parse(JSON.parse(own));
};

const said = ({ id, seq }: State) => ({
  words: [{ id: `m-${id}-${seq}`, words: { kind: "comment", text: "words" } }] as const,
});

const JOIN = { kind: "join", isAwaited: true, follows: "all", key: "own" } as const;
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;

const JOINS = NAMES.map((host): Deed => ({ ...JOIN, host }));

interface Accepted {
  readonly name: Name;
  readonly key: string;
  readonly follows: GroupOrder;
  /** What the host had. */
  readonly from: number;
  readonly seq: number;
}

describe.skipIf(postgres === null)("the fence", () => {
  it("S1 takes each group from a member that has what the group must follow, whoever tries and whenever", async () => {
    const address = await create();
    await openDatabase(address, "one");
    const links = new Map(NAMES.map((name) => [name, createLink({ database: address, name, version: "1" })]));
    onTestFinished(async () => {
      for (const link of links.values()) await link.close();
    });
    const starts = new Map(NAMES.map((name) => [name, { name, instance: randomUUID() }]));
    for (const { name, instance } of starts.values())
      await asked(
        address,
        `UPDATE parley.lease SET schema = ${SCHEMA};
         INSERT INTO parley.hosts VALUES ('${name}', '${instance}', '1', 1, now(), now(), 0, false)`,
      );
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 20, maxLength: 40 }), async (deeds) => {
        await asked(address, "DELETE FROM parley.rows; UPDATE parley.hosts SET joined = NULL");
        const at = async (): Promise<ReplicaPosition> => {
          const [row] = await asked(address, "SELECT epoch::int, term, seq::int FROM parley.lease");
          return { epoch: Number(row?.["epoch"]), term: String(row?.["term"]), seq: Number(row?.["seq"]) };
        };
        const standings = new Map<Name, ReplicaPosition>();
        const accepted: Accepted[] = [];
        const members = new Set<Name>();
        const busy = new Map<Name, Promise<void>>();
        const act = async ({ kind, host: name, follows, key: of }: Deed): Promise<void> => {
          const [link, start] = [links.get(name), starts.get(name)];
          if (link === undefined || start === undefined) return;
          if (kind === "join" && !members.has(name)) {
            members.add(name);
            await joinHosts(link, start);
          } else if (kind === "end" && members.delete(name)) {
            const other = links.get(NAMES.find((one) => one !== name) ?? name) ?? link;
            expect(await endMember(other, start, true, name)).toBe(true);
          } else if (kind === "push") {
            const from = standings.get(name) ?? (await at());
            const key = JSON.stringify([of === "own" ? name : of]);
            const change = { table: "notes", key, body: "{}" } as const;
            const pushed = await createPush(link, start)([change], from, { follows });
            if (pushed.kind === "accepted") {
              expect(members).toContain(name);
              accepted.push({ name, key, follows, from: from.seq, seq: pushed.seq });
              standings.set(name, after(from, pushed.seq));
            } else standings.delete(name);
          }
        };
        for (const one of [...JOINS, ...deeds]) {
          const done = (busy.get(one.host) ?? Promise.resolve()).then(() => act(one));
          busy.set(one.host, done);
          if (one.isAwaited) await done;
        }
        await Promise.all(busy.values());
        const rows = await asked(address, "SELECT key, seq::int FROM parley.rows ORDER BY seq");
        accepted.sort((a, b) => a.seq - b.seq);
        expect(new Map(rows.map(({ key, seq }) => [key, seq]))).toEqual(
          new Map(accepted.map(({ key, seq }) => [key, seq])),
        );
        expect(new Set(accepted.map(({ seq }) => seq)).size).toBe(accepted.length);
        for (const { name, key, follows, from, seq } of accepted) {
          const unseen = accepted.filter((one) => one.name !== name && one.seq > from && one.seq < seq);
          if (follows !== "free") expect(unseen).toEqual([]);
          expect(unseen.filter((one) => one.follows === "all" || one.key === key)).toEqual([]);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("S1 a group that waits behind the end of its host is not taken, and neither is one that is sent later", async () => {
    const address = await create();
    const one = await createHost(address, "one");
    const { push } = await one.enter();
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    onTestFinished(() => client.end());
    const link = createLink(push.settings);
    onTestFinished(() => link.close());
    const [now] = await asked(address, "SELECT epoch::int, term, seq::int FROM parley.lease");
    const from = { epoch: Number(now?.["epoch"]), term: String(now?.["term"]), seq: Number(now?.["seq"]) };
    await client.query("BEGIN; SELECT FROM parley.lease FOR UPDATE");
    const change = { table: "notes", key: '["a"]', body: '{"name":"a","value":"1"}' } as const;
    const waiting = createPush(link, push.start)([change], from);
    const isWaiting =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%fence%'";
    while ((await asked(address, `${isWaiting} AND pid <> pg_backend_pid()`)).length === 0);
    await client.query(
      "UPDATE parley.hosts SET joined = NULL; UPDATE parley.lease SET seq = seq + 1; COMMIT",
    );
    expect(await waiting).toEqual({ kind: "behind" });
    const later = { ...from, seq: from.seq + 1 };
    expect(await createPush(link, push.start)([change], later)).toEqual({ kind: "behind" });
    expect(await asked(address, "SELECT 1 FROM parley.rows WHERE key = '[\"a\"]'")).toEqual([]);
  });

  it("steps of hosts that have not seen each other's are all there, in one order, also where a host ended before it saw them", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const [a, b] = [await one.member(), await two.member()];
    let [mine, theirs] = [await beginIn(a.store), await beginIn(b.store, "c-2")];
    await even(address, one.file, two.file);
    const spend = (at: typeof a, host: string) => at.purse.settle(host, null, "2026-11-22", ["day"], 3);
    do {
      theirs = await takeIn(b.store, commitOf(theirs, said(theirs)));
      await b.store.claim(claimOf(`two ${theirs.seq}`));
      await spend(b, "two");
      mine = await takeIn(a.store, commitOf(mine, said(mine)));
      await a.store.claim(claimOf(`one ${mine.seq}`));
      await spend(a, "one");
    } while (ownIn(one.file).length === 0);
    // The end comes while steps wait, if the database does not take them in that moment.
    await a.store.close();
    await a.lease.release();
    const again = await (await createHost(address, "one", one.directory)).member();
    await even(address, one.file, two.file);
    expect(rowsIn(one.file)).toEqual(rowsIn(two.file));
    expect(again.store.load("c-2")?.state.seq).toBe(theirs.seq);
    expect(again.purse.spent(["2026-11-22"], "day")).toBe(3 * (mine.seq + theirs.seq));
    expect(again.fleet.members()).toEqual(["two", "one"]);
  });

  it("a copy with a step of its own that the database lost is refused, whatever it lacks of others'", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const [a, b] = [await one.member(), await two.member()];
    let [mine, theirs] = [await beginIn(a.store), await beginIn(b.store, "c-2")];
    await even(address, one.file, two.file);
    do {
      theirs = await takeIn(b.store, commitOf(theirs));
      mine = await takeIn(a.store, commitOf(mine));
    } while (ownIn(one.file).length === 0);
    await Promise.all([a.store.close(), b.store.close()]);
    await Promise.all([a.lease.release(), b.lease.release()]);
    const seq = seqOf(one.file);
    await asked(
      address,
      `UPDATE parley.lease SET seq = ${seq}; DELETE FROM parley.rows WHERE seq > ${seq};
       DELETE FROM parley.terms WHERE after > ${seq}`,
    );
    await expect((await createHost(address, "one", one.directory)).enter()).rejects.toThrow(
      "restored to an earlier point",
    );
  });

  it("S1 a host that freezes while it has the history holds up the others for two seconds", async () => {
    const address = await create();
    const one = await createHost(address, "one");
    const { store } = await one.member();
    const client = new pg.Client({ connectionString: address });
    client.on("error", () => undefined);
    await client.connect();
    await client.query(LOCK);
    // Without a limit at the server this would wait for ever.
    await beginIn(store);
  });

  it("S4 a host that was ended while it was frozen writes nothing, and hears that it is over", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const [a, b] = [await one.member(), await two.member()];
    const state = await beginIn(a.store);
    const expire =
      "UPDATE parley.hosts SET until = now() - interval '1 second' WHERE name = 'one'; NOTIFY parley_hosts, ''";
    /** It renews its lease until it is ended. */
    const again = async (): Promise<null> => {
      await asked(address, expire);
      return setTimeout(100, null);
    };
    while ((await Promise.race([a.lease.over, again()])) === null);
    expect(await a.lease.over).toBe("lost");
    expect(await a.store.commit(commitOf(state))).toMatchObject({ kind: "failed", code: "io" });
    expect([a.lease.isHeld(), await a.lease.held()]).toEqual([false, false]);
    expect([b.lease.isHeld(), await b.lease.held()]).toEqual([true, true]);
    await even(address, two.file);
    expect(b.store.load("c-1")?.state.seq).toBe(0);
    await takeIn(b.store, commitOf(state));
    await a.store.close();
    await a.lease.release();
    const again2 = await (await createHost(address, "one", one.directory)).member();
    expect(again2.store.load("c-1")?.state.seq).toBe(1);
    expect(again2.fleet.members()).toEqual(["two", "one"]);
  });

  it("a host asked to drain hands over, and does not join again", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const lease = await one.enter();
    expect(await two.database.drain("nobody")).toMatchObject({ kind: "trouble" });
    expect(await two.database.drain("one")).toEqual({ kind: "done" });
    expect(await lease.over).toBe("drained");
    expect(lease.isHeld()).toBe(true);
    const taken = await two.enter();
    await lease.release();
    expect(await taken.held()).toBe(true);
    expect(await one.database.hosts()).toMatchObject([
      { name: "one", active: false, leads: false, draining: true, isLive: false },
      { name: "two", active: true, leads: true, draining: false, isLive: true },
    ]);
  });

  it("a second host of one name is refused while the first is there", async () => {
    const address = await create();
    const one = await createHost(address, "one");
    await one.enter();
    await expect((await createHost(address, "one")).enter()).rejects.toThrow("PARLEY_HOST_NAME");
  });

  it("a replica that has what the database does not have is refused, and so is the host that writes it", async () => {
    const address = await create();
    const name = new URL(address).pathname.slice(1);
    const main = address.replace(name, "postgres");
    const one = await createHost(address, "one");
    const { store, lease } = await one.member();
    const state = await beginIn(store);
    await one.database.close();
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
    await asked(main, `SELECT pg_sleep(0.1); ${end}`);
    await asked(main, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    // A session that ends slowly, or one of PostgreSQL's own, still counts as a user of the database.
    await vi.waitFor(async () => {
      await asked(main, end);
      await asked(main, `CREATE DATABASE ${name}_old TEMPLATE ${name}`);
    });
    await asked(main, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await takeIn(store, commitOf(state));
    const ahead = seqOf(one.file);
    await asked(main, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await asked(main, end);
    await asked(main, `ALTER DATABASE ${name} RENAME TO ${name}_new`);
    await asked(main, `ALTER DATABASE ${name}_old RENAME TO ${name}`);
    expect(await store.setTitle("c-1", "lost", null)).toMatchObject({ kind: "failed", code: "io" });
    expect(await lease.over).toBe("lost");
    await store.close();
    const rows = rowsIn(one.file);
    const again = await createHost(address, "again", one.directory);
    await expect(again.enter()).rejects.toThrow("restored to an earlier point");
    expect([seqOf(one.file), rowsIn(one.file)]).toEqual([ahead, rows]);
    const other = await (await createHost(address, "two")).member();
    for (let n = 0; n < 5; n += 1) await other.store.setTitle("c-1", `${n}`, null);
    await expect(again.enter()).rejects.toThrow("restored to an earlier point");
  });

  it("a newer schema, a file that is no replica and one of another database are refused with what to do", async () => {
    const [address, other] = [await create(), await create()];
    const one = await createHost(address, "one");
    await beginIn((await one.member()).store);
    await expect((await createHost(other, "one", one.directory)).enter()).rejects.toThrow("another database");
    await asked(address, "UPDATE parley.lease SET schema = 99");
    await expect((await createHost(address, "two")).enter()).rejects.toThrow("newer Parley");
    await asked(address, "UPDATE parley.meta SET version = 99");
    await expect(createHost(address, "two")).rejects.toThrow("newer Parley");
  });
});
