/** At any moment at most one host can write (S1), and one that was displaced changes nothing. */

import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { takeLease } from "../../../src/store/replica/lease.ts";
import { createLink } from "../../../src/store/replica/link.ts";
import { createPush, type Standing } from "../../../src/store/replica/push.ts";
import { sharedPostgres } from "../../fakes/postgres.ts";
import { beginIn, commitOf, takeIn } from "../plain.ts";
import { asked, createHost, openDatabase, rowsIn, seqOf } from "./fleet.ts";

const postgres = await sharedPostgres();

const create = async (): Promise<string> => (await postgres?.create()) ?? "";

const NAMES = ["one", "two", "three"] as const;
type Name = (typeof NAMES)[number];

const deed = fc.record({
  kind: fc.constantFrom("take", "push", "push", "push"),
  host: fc.constantFrom(...NAMES),
  isAwaited: fc.boolean(),
});

describe.skipIf(postgres === null)("the fence", () => {
  it("S1 takes each group from one host, in the term of that host, whoever tries and whenever", async () => {
    const address = await create();
    await openDatabase(address, "one");
    const links = new Map(NAMES.map((name) => [name, createLink({ database: address, name, version: "1" })]));
    onTestFinished(async () => {
      for (const link of links.values()) await link.close();
    });
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 30 }), async (deeds) => {
        const standings = new Map<Name, Standing>();
        const accepted: string[] = [];
        const [before] = await asked(address, "SELECT seq::int, epoch::int FROM parley.lease");
        let epoch = Number(before?.["epoch"]);
        const busy = new Map<Name, Promise<void>>();
        const take = async (name: Name): Promise<void> => {
          const link = links.get(name);
          if (link === undefined) return;
          const taken = await takeLease(link, { name, epoch, isFree: true, isImport: false });
          if (taken.kind !== "taken") return;
          epoch = Math.max(epoch, taken.standing.epoch);
          standings.set(name, taken.standing);
        };
        const push = async (name: Name): Promise<void> => {
          const [link, from] = [links.get(name), standings.get(name)];
          if (link === undefined || from === undefined) return;
          const change = {
            table: "notes",
            key: `["${from.seq + 1}"]`,
            body: JSON.stringify({ name }),
          } as const;
          const pushed = await createPush(link)([change], from);
          if (pushed.kind === "accepted") {
            standings.set(name, { ...from, seq: pushed.seq });
            accepted.push(`${pushed.seq} ${name} ${from.epoch}`);
          } else standings.delete(name);
        };
        for (const { kind, host, isAwaited } of deeds) {
          const done = (busy.get(host) ?? Promise.resolve()).then(() =>
            kind === "take" ? take(host) : push(host),
          );
          busy.set(host, done);
          if (isAwaited) await done;
        }
        await Promise.all(busy.values());
        const rows = await asked(
          address,
          `SELECT rows.seq || ' ' || (body ->> 'name') || ' ' || max(terms.epoch) AS row
           FROM parley.rows JOIN parley.terms ON terms.after < rows.seq AND terms.owner = body ->> 'name'
           WHERE rows.seq > ${Number(before?.["seq"])} GROUP BY rows.seq, body ->> 'name' ORDER BY rows.seq`,
        );
        expect(rows.map(({ row }) => row)).toEqual(
          accepted.toSorted((a, b) => Number.parseInt(a) - Number.parseInt(b)),
        );
        const [last] = await asked(address, "SELECT seq::int FROM parley.lease");
        expect(last?.["seq"]).toBe(Number(before?.["seq"]) + accepted.length);
      }),
      { numRuns: 15 },
    );
  });

  it("S4 a host that was displaced while it was frozen writes nothing, and hears that it is over", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const lease = await one.lead();
    const { store } = one.open(lease);
    const state = await beginIn(store);
    const next = two.lead();
    const isTaken = next.then(() => true);
    const expire =
      "UPDATE parley.lease SET until = now() - interval '1 second' WHERE owner = 'one'; NOTIFY parley";
    /** It renews the lease until it is displaced. */
    const again = async (): Promise<boolean> => {
      await asked(address, expire);
      return setTimeout(100, false);
    };
    while (!(await Promise.race([isTaken, again()])));
    const taken = await next;
    expect(taken.epoch).toBe(lease.epoch + 1);
    expect(await store.commit(commitOf(state))).toMatchObject({ kind: "failed", code: "io" });
    expect(await lease.over).toBe("lost");
    expect([lease.isHeld(), await lease.held()]).toEqual([false, false]);
    expect([taken.isHeld(), await taken.held()]).toEqual([true, true]);
    const after = two.open(taken);
    expect(after.store.load("c-1")?.state.seq).toBe(0);
    await takeIn(after.store, commitOf(state));
  });

  it("a host asked to drain hands over, and does not take over again", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const lease = await one.lead();
    expect(await two.database.drain("nobody")).toMatchObject({ kind: "trouble" });
    expect(await two.database.drain("one")).toEqual({ kind: "done" });
    expect(await lease.over).toBe("drained");
    expect(lease.isHeld()).toBe(true);
    const next = two.lead();
    await lease.release();
    const taken = await next;
    expect(await taken.held()).toBe(true);
    expect(await one.database.hosts()).toMatchObject([
      { name: "one", active: false, draining: true, isLive: true },
      { name: "two", active: true, draining: false, isLive: true, behind: 0 },
    ]);
  });

  it("a second host of one name is refused while the first is there", async () => {
    const address = await create();
    const one = await createHost(address, "one");
    await one.lead();
    await expect((await createHost(address, "one")).lead()).rejects.toThrow("PARLEY_HOST_NAME");
  });

  it("a replica that has what the database does not have is refused, and so is the host that writes it", async () => {
    const address = await create();
    const name = new URL(address).pathname.slice(1);
    const main = address.replace(name, "postgres");
    const one = await createHost(address, "one");
    const lease = await one.lead();
    const { store } = one.open(lease);
    const state = await beginIn(store);
    await one.database.close();
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
    await asked(main, `SELECT pg_sleep(0.1); ${end}`);
    await asked(main, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await asked(main, end);
    await asked(main, `CREATE DATABASE ${name}_old TEMPLATE ${name}`);
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
    await expect(again.lead()).rejects.toThrow("set back");
    expect([seqOf(one.file), rowsIn(one.file)]).toEqual([ahead, rows]);
    const other = await createHost(address, "two");
    await other.lead();
    expect(seqOf(other.file)).toBe(ahead - 1);
    await expect(again.lead()).rejects.toThrow("set back");
  });

  it("a newer schema, a file that is no replica and one of another database are refused with what to do", async () => {
    const [address, other] = [await create(), await create()];
    const one = await createHost(address, "one");
    const lease = await one.lead();
    await beginIn(one.open(lease).store);
    await expect((await createHost(other, "one", one.directory)).lead()).rejects.toThrow("another database");
    await asked(address, "UPDATE parley.lease SET schema = 99");
    await expect((await createHost(address, "two")).lead()).rejects.toThrow("newer Parley");
    await asked(address, "UPDATE parley.meta SET version = 99");
    await expect(createHost(address, "two")).rejects.toThrow("newer Parley");
  });
});
