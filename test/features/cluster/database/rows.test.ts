/** What one host writes is what the others have. */

import { statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { SCHEMA } from "../../../../src/store/base/migrations.ts";
import { createLink } from "../../../../src/features/cluster/database/link.ts";
import { createStandbySync } from "../../../../src/features/cluster/database/standby-sync.ts";
import { PRUNE } from "../../../../src/features/cluster/database/host-eviction.ts";
import { openForWriting } from "../../../../src/features/cluster/database/fenced-batch.ts";
import { openStore } from "../../../store/open-store.ts";
import { TABLES } from "../../../store/tables.ts";
import { takeSnapshot } from "../../../../src/store/snapshot.ts";
import type { StorePorts } from "../../../../src/store/write/grouped.ts";
import { runWriteJob } from "../../../../src/store/write/write-job.ts";
import { sharedPostgres } from "../../../fakes/postgres.ts";
import { openWithConnection, temporary } from "../../../store/kit.ts";
import {
  beginIn,
  claimOf,
  commitOf,
  conversationOf,
  notice,
  prefix,
  stateOf,
  takeIn,
} from "../../../store/plain.ts";
import {
  CONVERSATIONS,
  FATES,
  hinder,
  inPieces,
  jobOf,
  prepared,
  wishOf,
} from "../../../store/write/wishes.ts";
import { asked, createHost, even, openDatabase, rowsIn, seqOf } from "./fleet.ts";

const postgres = await sharedPostgres();

/** As the index of words and titles is made. */
const indexTitles = async ({ rows }: Pick<StorePorts, "rows">): Promise<void> => {
  const done = await rows.writeLocal(TITLES.map((sql) => ({ sql, values: {} })));
  if (done.kind === "failed") throw new Error(done.message);
};

const TITLES = [
  "DELETE FROM searched WHERE message IS NULL AND conversation IN (SELECT conversation FROM unsearched)",
  "INSERT INTO searched (conversation, message) SELECT conversation, NULL FROM unsearched WHERE message IS NULL",
  `INSERT INTO search (rowid, text)
    SELECT searched.n, conversations.title FROM searched JOIN conversations ON conversations.id = searched.conversation
    WHERE searched.message IS NULL AND NOT EXISTS (SELECT 1 FROM search WHERE search.rowid = searched.n)`,
  "DELETE FROM unsearched",
];

const titlesWith = ({ rows }: Pick<StorePorts, "rows">, word: string): number =>
  rows.select("SELECT rowid FROM search WHERE search MATCH @word")({ word }).length;

const create = async (): Promise<string> => (await postgres?.create()) ?? "";

describe.skipIf(postgres === null)("a replica", () => {
  it("has a whole conversation, byte for byte, and goes on from it", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const { store, lease } = await one.member();
    const first = await beginIn(store);
    await store.claim(claimOf("first"));
    const words = [{ id: "m-1", words: { kind: "comment", text: 'a\u0000b"\\\ud83d\ude00' } }] as const;
    const state = await takeIn(
      store,
      commitOf(first, { words, posts: [notice("a", 1)], claim: claimOf("first") }),
    );
    await store.setTitle("c-1", "another", null);
    const seq = seqOf(one.file);
    expect(await store.setTitle("c-1", "another", null)).toEqual({ kind: "done" });
    expect(seqOf(one.file)).toBe(seq);
    const again = await two.member();
    await even(address, one.file, two.file);
    expect(rowsIn(two.file)).toEqual(rowsIn(one.file));
    expect(statSync(two.file).mode & 0o777).toBe(0o600);
    await store.close();
    await lease.release();
    await takeIn(again.store, commitOf(state));
    expect(again.store.load("c-1")?.state.seq).toBe(state.seq + 1);
  });

  it("is the same after any writes, of which any are refused, whatever goes together", async () => {
    const address = await create();
    await openDatabase(address, "nobody");
    const fates = FATES.filter((fate) => fate !== "refused at the end");
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(wishOf(fates), { maxLength: 20 }),
        fc.integer({ min: 1, max: 20 }),
        async (wishes, size) => {
          await asked(
            address,
            "DELETE FROM parley.rows; DELETE FROM parley.hosts; UPDATE parley.lease SET seq = 0, schema = 0",
          );
          run += 1;
          const [one, two] = [await createHost(address, `one${run}`), await createHost(address, `two${run}`)];
          const lease = await one.enter();
          const fenced = openForWriting(one.file, TABLES, lease.push, { say: () => {}, queue: () => {} });
          const alone = prepared();
          const opened = openWithConnection(one.file);
          hinder(opened.db);
          opened.db.close();
          await fenced.batch(
            CONVERSATIONS.map((id) => ({
              port: "store",
              name: "create",
              given: [conversationOf(id), stateOf(id), prefix],
            })),
          );
          const jobs = wishes.map(jobOf);
          const answers = [];
          for (const piece of inPieces(jobs, size)) answers.push(...(await fenced.batch(piece)));
          expect(answers).toEqual(jobs.map((job) => runWriteJob(alone, job)));
          await fenced.close();
          await lease.release();
          await (await two.enter()).release();
          expect(rowsIn(two.file)).toEqual(rowsIn(one.file));
        },
      ),
      { numRuns: 4 },
    );
  });

  it("40.B has all replies that a person is owed, and drops those that were told", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const [{ chat }, other] = [await one.member(), await two.member()];
    const to = { place: "C1", root: null, person: "U1" };
    const waiting = () => other.chat.owedTo("slack", to)?.waiting.map(({ key }) => key);
    for (const key of ["a", "b", "c"])
      await chat.owe("slack", to, { key, why: { kind: "said", text: key }, at: 1 });
    await even(address, one.file, two.file);
    expect(waiting()).toEqual(["a", "b", "c"]);
    await other.chat.told("slack", to, ["a", "b"], null);
    expect(waiting()).toEqual(["c"]);
    await even(address, one.file, two.file);
    expect(chat.owedTo("slack", to)).toMatchObject({ key: "c", waiting: [{ key: "c" }] });
  });

  it("and the database keep nothing of what is erased", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const { store } = await one.member();
    await two.member();
    const first = await beginIn(store);
    const words = [{ id: "m-1", words: { kind: "comment", text: "a secret word" } }] as const;
    const state = await takeIn(store, commitOf(first, { words }));
    await even(address, one.file, two.file);
    const found = "SELECT count(*)::int AS n FROM parley.rows WHERE body::text LIKE '%secret word%'";
    expect(await asked(address, found)).toEqual([{ n: 1 }]);
    const erasure = {
      words: [{ id: "m-1", words: { kind: "comment", text: "" } }],
      claims: [],
      title: null,
      uninstructed: false,
    } as const;
    await takeIn(store, commitOf(state, { erasure }));
    expect(await asked(address, found)).toEqual([{ n: 0 }]);
    await even(address, one.file, two.file);
    expect(JSON.stringify(rowsIn(two.file))).not.toContain("secret word");
  });

  it("begins once, where two hosts found nothing there", async () => {
    const address = await create();
    await openDatabase(address, "nobody");
    const link = createLink({ database: address, name: "one", version: "1" });
    onTestFinished(() => link.close());
    const [one, two] = ["one", "two"].map((name) =>
      createStandbySync(join(temporary(), `${name}.sqlite`), "database", link),
    );
    const found = { schema: 0, seq: 0 };
    expect(await one?.keepUp(found)).toBeNull();
    expect(await one?.upgrade()).toBeNull();
    expect(await two?.keepUp(found)).toBeNull();
    expect(await two?.upgrade()).toMatchObject({ kind: "trouble" });
    two?.close();
    expect(await asked(address, "SELECT seq::int, pruned::int FROM parley.lease")).toEqual([
      { seq: 1, pruned: 1 },
    ]);
  });

  it("forgets with the database what was deleted; one that was away for long is made anew", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const opened = await one.member();
    const row = { place: "C1", message: "M1", root: "M1", note: "N", at: 1 };
    await opened.chat.setUnbound("slack", row);
    await (await two.enter()).release();
    await opened.chat.dropUnbound("slack", "C1", "M1");
    await asked(
      address,
      `UPDATE parley.hosts SET seen = now() - interval '1 day', applied = 1 WHERE name = 'two'`,
    );
    const left = "SELECT count(*)::int AS n FROM parley.rows WHERE tbl = 'unbound'";
    expect(await asked(address, left)).toEqual([{ n: 1 }]);
    await asked(address, "UPDATE parley.hosts SET applied = seq FROM parley.lease WHERE name = 'one'");
    const link = createLink(opened.lease.push.settings);
    await link.ask(PRUNE);
    await link.close();
    expect(await asked(address, left)).toEqual([{ n: 0 }]);
    await two.member();
    await even(address, one.file, two.file);
    expect(rowsIn(two.file)).toEqual(rowsIn(one.file));
  });

  it("is found in the search of another host", async () => {
    const address = await create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const opened = await one.member();
    await beginIn(opened.store);
    await indexTitles(opened);
    await opened.store.setTitle("c-1", "wonderful", null);
    const next = await two.member();
    await even(address, one.file, two.file);
    await indexTitles(next);
    expect(titlesWith(next, "wonderful")).toBe(1);
    await opened.store.setTitle("c-1", "marvellous", null);
    await even(address, one.file, two.file);
    await indexTitles(next);
    expect(titlesWith(next, "wonderful")).toBe(0);
    expect(titlesWith(next, "marvellous")).toBe(1);
  });

  it("of an older schema is made anew, and rows of an older schema are brought up by the next host", async () => {
    const address = await create();
    const [one, two, three] = [
      await createHost(address, "one"),
      await createHost(address, "two"),
      await createHost(address, "three"),
    ];
    const opened = await one.member();
    const usual = {
      mode: null,
      model: null,
      approvers: [],
      servers: [],
      knowledge: [],
      language: null,
      review: null,
      quiet: null,
      links: false,
    };
    const channel = { ...usual, by: "slack:U1", at: 1 } as const;
    await beginIn(opened.store);
    await opened.chat.setChannel("slack", "C1", channel);
    await opened.fleet.leave("one", opened.lease.push.start.instance);
    await opened.store.close();
    await opened.lease.release();
    await asked(
      address,
      `UPDATE parley.rows SET body = (body::jsonb - 'language' - 'quiet' - 'links')::json WHERE tbl = 'channels';
       DELETE FROM parley.rows WHERE tbl = 'members';
       UPDATE parley.lease SET schema = 26`,
    );
    const next = await two.enter();
    expect(await asked(address, "SELECT schema FROM parley.lease")).toEqual([{ schema: SCHEMA }]);
    expect(rowsIn(two.file)).toEqual(rowsIn(one.file));
    await next.release();
    await three.enter();
    expect(rowsIn(three.file)).toEqual(rowsIn(one.file));
  });

  it("is not opened without the database, but a backup of it is", async () => {
    const one = await createHost(await create(), "one");
    const { store } = await one.member();
    await beginIn(store);
    await store.close();
    expect(openStore(one.directory)).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("PARLEY_DATABASE"),
    });
    const target = join(temporary(), "parley.sqlite");
    expect(takeSnapshot(one.directory, target)).toMatchObject({ kind: "taken" });
    const alone = openStore(join(target, ".."));
    if (alone.kind === "failed") throw new Error(alone.message);
    await takeIn(alone.store, commitOf(stateOf("c-1")));
    await alone.store.close();
  });
});
