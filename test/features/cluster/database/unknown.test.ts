/** What becomes of a write when the database, or the way to it, fails: found out by its key, never guessed. */

import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLink } from "../../../../src/features/cluster/database/link.ts";
import { createPush } from "../../../../src/features/cluster/database/push.ts";
import { startCutting } from "../../../fakes/cutting.ts";
import { addressOf, canMount, sharedPostgres, startSmallPostgres } from "../../../fakes/postgres.ts";
import { beginIn, claimOf, commitOf, takeIn } from "../../../store/plain.ts";
import { asked, createHost, even, rowsIn, seqOf } from "./fleet.ts";

const postgres = await sharedPostgres();

/** The name of the statement, as the protocol says it. */
const PUSH = "\u0000push\u0000";

const created = async () => {
  if (postgres === null) throw new Error("no PostgreSQL");
  const address = await postgres.create();
  const name = new URL(address).pathname.slice(1);
  const cutting = await startCutting(postgres.directory);
  onTestFinished(() => cutting.end());
  const host = await createHost(addressOf(cutting.directory, name), "one");
  return { postgres, address, cutting, host };
};

const prepared = async () => {
  const made = await created();
  return { ...made, ...(await made.host.member()) };
};

describe.skipIf(postgres === null)("a write", () => {
  it.each(["before", "after"] as const)(
    "whose connection is cut %s the statement arrived is stored once, and answered",
    async (when) => {
      const { address, cutting, host, store } = await prepared();
      const state = await beginIn(store);
      const before = seqOf(host.file);
      cutting.cut(when, PUSH);
      await takeIn(store, commitOf(state));
      expect(cutting.cuts()).toBe(1);
      // The connection after that begins a term.
      expect(await even(address, host.file)).toBe(before + 2);
      const other = await createHost(address, "two");
      await other.member();
      await even(address, host.file, other.file);
      expect(rowsIn(other.file)).toEqual(rowsIn(host.file));
    },
  );

  it("is not waited for by what is asked beside the hosts: it says at once that the database is away", async () => {
    const { cutting, host } = await created();
    cutting.shut();
    expect(await host.database.ask("one", null)).toMatchObject({ kind: "trouble", cause: "away" });
  });

  it("waits for a database that is restarted, and the host goes on as the same one", async () => {
    const { address, host, lease, store, postgres: server } = await prepared();
    const state = await beginIn(store);
    await server.stop("QUIT");
    const commit = takeIn(store, commitOf(state));
    await server.start();
    await commit;
    expect(await lease.held()).toBe(true);
    expect(store.load("c-1")?.state.seq).toBe(1);
    expect(await even(address, host.file)).toBe(seqOf(host.file));
  });

  it("to a slow database is stored once; the host keeps its turn, and doctor says how slow it is", async () => {
    const { cutting, host, lease, store } = await prepared();
    cutting.slow(120);
    const state = await beginIn(store);
    await takeIn(store, commitOf(state));
    expect(await lease.held()).toBe(true);
    const remedies = (await host.database.inspect()).map(({ remedy }) => remedy);
    expect(remedies).toContain(
      "Move the hosts and the database closer together; each step waits for one round trip.",
    );
    expect(store.load("c-1")?.state.seq).toBe(1);
  });

  it("to a read-only or a full database is refused with what to do, and taken when that is over", async () => {
    const { address, store } = await prepared();
    const state = await beginIn(store);
    await asked(
      address,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = TG_ARGV[0]; END $$`,
    );
    for (const [sqlState, code] of [
      ["25006", "read_only"],
      ["53100", "disk_full"],
    ] as const) {
      await asked(
        address,
        `CREATE TRIGGER refuse BEFORE INSERT ON parley.rows EXECUTE FUNCTION refuse('${sqlState}')`,
      );
      expect(await store.commit(commitOf(state))).toMatchObject({ kind: "failed", code });
      await asked(address, "DROP TRIGGER refuse ON parley.rows");
    }
    expect(store.load("c-1")?.state.seq).toBe(0);
    // What ends where the host froze in its transaction is tried again.
    await asked(
      address,
      `CREATE SEQUENCE once;
       CREATE TRIGGER refuse BEFORE INSERT ON parley.rows FOR EACH ROW WHEN (nextval('once') = 1)
       EXECUTE FUNCTION refuse('25P03')`,
    );
    expect(await store.claim(claimOf("froze"))).toMatchObject({ kind: "new" });
    await asked(address, "DROP TRIGGER refuse ON parley.rows");
    await asked(
      address,
      `CREATE TRIGGER refuse BEFORE UPDATE ON parley.rows FOR EACH ROW WHEN (new.body::text LIKE '%unfit%')
       EXECUTE FUNCTION refuse('22P02')`,
    );
    const both = [store.setTitle("c-1", "unfit", null), store.claim(claimOf("fit"))];
    expect(await Promise.all(both)).toMatchObject([{ kind: "failed", code: "conflict" }, { kind: "new" }]);
    await takeIn(store, commitOf(state));
  });

  it("to a database whose disk is full is refused with what to do, and taken once there is room", async ({
    skip,
  }) => {
    if (!canMount()) return skip("no program may have mounts of its own here");
    const server = await startSmallPostgres(20);
    if (server === null) return skip();
    onTestFinished(() => server.end());
    const main = addressOf(server.directory, "postgres");
    await asked(main, `CREATE TABLESPACE small LOCATION '${server.directory}/small'`);
    await asked(main, "CREATE DATABASE crammed TABLESPACE small");
    const address = addressOf(server.directory, "crammed");
    const { store } = await (await createHost(address, "one")).member();
    // A file beside what the database has of its own, which may want room to go.
    const fill = (rows: number) =>
      asked(
        address,
        `COPY (SELECT repeat('x', 1023) FROM generate_series(1, ${rows})) TO '${server.directory}/small/other'`,
      );
    await fill(6_000);
    let state = await beginIn(store);
    const next = () =>
      commitOf(state, {
        words: [
          {
            id: `m-${state.seq + 1}`,
            words: { kind: "comment", text: randomBytes(1_000_000).toString("hex") },
          },
        ],
      });
    let answer = await store.commit(next());
    for (; answer.kind !== "failed" && state.seq < 40; answer = await store.commit(next()))
      state = { ...state, seq: state.seq + 1 };
    expect(answer).toEqual({
      kind: "failed",
      code: "disk_full",
      message: expect.stringContaining("Give the database more space."),
    });
    expect(store.load("c-1")?.state.seq).toBe(state.seq);
    await fill(0);
    await takeIn(store, next());
  });

  it("that the database cannot be reached with is given up, and one that nobody knows of ends the host's turn", async () => {
    const { address, cutting, host } = await created();
    const lease = await host.enter();
    const { settings, start } = lease.push;
    const [now] = await asked(address, "SELECT epoch::int, term, seq::int FROM parley.lease");
    const standing = {
      epoch: Number(now?.["epoch"]),
      term: String(now?.["term"]),
      seq: Number(now?.["seq"]),
    };
    const link = createLink(settings);
    onTestFinished(() => link.close());
    cutting.shut();
    const push = createPush(link, start, 0);
    const change = { table: "notes", key: '["a"]', body: '{"name":"a","value":"1"}' } as const;
    expect(await push([change], standing)).toMatchObject({ kind: "refused", failure: { code: "io" } });
    cutting.open();
    await link.ask("SELECT 1");
    cutting.cut("after", PUSH);
    expect(await push([change], standing)).toMatchObject({ kind: "lost" });
    expect(await asked(address, "SELECT seq::int FROM parley.lease")).toEqual([{ seq: standing.seq + 1 }]);
  });
});
