/** What becomes of a write when the database, or the way to it, fails: found out by its key, never guessed. */

import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createLink } from "../../../src/store/replica/link.ts";
import { createPush } from "../../../src/store/replica/push.ts";
import { startCutting } from "../../fakes/cutting.ts";
import { addressOf, startPostgres } from "../../fakes/postgres.ts";
import { beginIn, commitOf, takeIn } from "../plain.ts";
import { asked, createHost, rowsIn, seqOf } from "./fleet.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.end());

const prepared = async () => {
  if (postgres === null) throw new Error("no PostgreSQL");
  const address = await postgres.create();
  const name = new URL(address).pathname.slice(1);
  const cutting = await startCutting(postgres.directory);
  onTestFinished(() => cutting.end());
  const host = await createHost(addressOf(cutting.directory, name), "one");
  const lease = await host.lead();
  const { store } = host.open(lease);
  return { postgres, address, cutting, host, lease, store };
};

describe.skipIf(postgres === null)("a write", () => {
  it.each(["before", "after"] as const)(
    "whose connection is cut %s the statement arrived is stored once, and answered",
    async (when) => {
      const { address, cutting, host, store } = await prepared();
      const state = await beginIn(store);
      const before = seqOf(host.file);
      cutting.cut(when, "WITH fence");
      await takeIn(store, commitOf(state));
      expect(cutting.cuts()).toBe(1);
      expect(seqOf(host.file)).toBe(before + 1);
      expect(await asked(address, "SELECT seq::int FROM parley.lease")).toEqual([{ seq: before + 1 }]);
      const other = await createHost(address, "two");
      await other.follow(before + 1);
      expect(rowsIn(other.file)).toEqual(rowsIn(host.file));
    },
  );

  it("waits for a database that is restarted, and the host goes on as the same one", async () => {
    const { host, lease, store, postgres: server } = await prepared();
    const state = await beginIn(store);
    await server.stop("SIGQUIT");
    const commit = takeIn(store, commitOf(state));
    await server.start();
    await commit;
    expect(await lease.held()).toBe(true);
    expect(seqOf(host.file)).toBe(lease.push.standing.seq + 2);
  });

  it("to a read-only or a full database is refused with what to do, and taken when that is over", async () => {
    const { address, store } = await prepared();
    const state = await beginIn(store);
    const name = new URL(address).pathname.slice(1);
    await asked(address, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await asked(
      address,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()",
    );
    expect(await store.commit(commitOf(state))).toMatchObject({ kind: "failed", code: "read_only" });
    await asked(address, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await asked(
      address,
      `
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON parley.rows EXECUTE FUNCTION full_disk()`,
    );
    expect(await store.commit(commitOf(state))).toMatchObject({ kind: "failed", code: "disk_full" });
    await asked(address, "DROP TRIGGER full_disk ON parley.rows");
    expect(store.load("c-1")?.state.seq).toBe(0);
    await takeIn(store, commitOf(state));
  });

  it("that the database cannot be reached with is given up, and one that nobody knows of ends the host's turn", async () => {
    const { address, cutting, lease } = await prepared();
    const { settings, standing } = lease.push;
    const link = createLink(settings);
    onTestFinished(() => link.close());
    cutting.shut();
    const push = createPush(link, 0);
    const change = { table: "notes", key: '["a"]', body: "{}" } as const;
    expect(await push([change], standing)).toMatchObject({ kind: "refused", failure: { code: "io" } });
    cutting.open();
    await link.ask("SELECT 1");
    cutting.cut("after", "WITH fence");
    expect(await push([change], standing)).toMatchObject({ kind: "lost" });
    expect(await asked(address, "SELECT seq::int FROM parley.lease")).toEqual([{ seq: standing.seq + 1 }]);
  });
});
