/**
 * A database that has lost what its hosts have: brought back to a point in time, with the lines of `docs/scale.md`, or taken over
 * by a server that was behind.
 */

import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { LogFields } from "../../../../src/ports/host.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { blocksOf, readPage } from "../../../docs/told.ts";
import { startCutting } from "../../../fakes/cutting.ts";
import { addressOf, hasPostgres, type Postgres, startPostgres } from "../../../fakes/postgres.ts";
import { temporary } from "../../../store/kit.ts";
import { beginIn, commitOf, takeIn } from "../../../store/plain.ts";
import { asked, createHost, even, openDatabase, rowsIn } from "./fleet.ts";

const canCopy = hasPostgres("pg_basebackup");
if (!canCopy) console.log("skipped: this PostgreSQL comes without pg_basebackup");

/** In their order: the archive, the copy, the way back, the point. */
const blocks = (): readonly string[] => {
  const page = readPage("docs/scale.md");
  const section = page.slice(page.indexOf("## Backup and restore"), page.indexOf("## Least rights"));
  return blocksOf(section).map(({ lines }) => lines.replaceAll(/^ +/gm, ""));
};

const started = async (): Promise<Postgres> => {
  const server = await startPostgres();
  if (server === null) throw new Error("no PostgreSQL");
  onTestFinished(() => server.end());
  return server;
};

/** What is there for people; who works is another matter. */
const contentOf = (file: string): unknown => rowsIn(file).filter(([table]) => table !== "members");

const leave = async ({
  store,
  lease,
}: Awaited<ReturnType<Awaited<ReturnType<typeof createHost>>["member"]>>) => {
  await store.close();
  await lease.release();
};

const isRecovering = async (address: string): Promise<boolean> =>
  (await asked(address, "SELECT pg_is_in_recovery() AS is"))[0]?.["is"] === true;

describe.skipIf(!canCopy)("a database", () => {
  it("that went back to a point in time has all from before; copies from after it are refused, others go on", async () => {
    const server = await started();
    const onMachine = (text = ""): string =>
      text
        .replaceAll("/srv/backup", join(server.directory, "backup"))
        .replaceAll("/var/lib/postgresql/15/main", server.data);
    const configure = (lines: string): void => appendFileSync(join(server.data, "postgresql.conf"), lines);
    const [archive, copy, back, point] = blocks();
    server.shell(onMachine("mkdir -p /srv/backup/wal"));
    await server.stop();
    configure(onMachine(archive));
    await server.start();

    const address = await server.create();
    const [one, two] = [await createHost(address, "one"), await createHost(address, "two")];
    const early = await createHost(address, "early");
    const [a, b] = [await one.member(), await two.member()];
    const state = await takeIn(a.store, commitOf(await beginIn(a.store)));
    server.shell(onMachine(copy));
    await leave(await early.member());
    await beginIn(b.store, "c-2");
    await even(address, one.file, two.file);
    const rows = contentOf(one.file);
    const [{ now } = {}] = await asked(address, "SELECT clock_timestamp()::text AS now");
    await takeIn(a.store, commitOf(state));
    await beginIn(b.store, "c-3");
    await even(address, one.file, two.file);
    await Promise.all([leave(a), leave(b)]);
    await server.stop();

    server.shell(onMachine(back));
    configure(onMachine(point).replace("2026-11-25 18:30:00+00", String(now)));
    await server.start();
    await vi.waitFor(async () => expect(await isRecovering(address)).toBe(false));
    for (const { name, file, directory } of [one, two]) {
      const ahead = contentOf(file);
      await expect((await createHost(address, name, directory)).enter()).rejects.toThrow(
        "restored to an earlier point",
      );
      expect(contentOf(file)).toEqual(ahead);
    }
    const kept = await (await createHost(address, "early", early.directory)).member();
    const three = await createHost(address, "three");
    const anew = await three.member();
    await even(address, early.file, three.file);
    expect([contentOf(early.file), contentOf(three.file)]).toEqual([rows, rows]);
    await takeIn(kept.store, commitOf(state));
    await beginIn(anew.store, "c-4");
    await expect((await createHost(address, "two", two.directory)).enter()).rejects.toThrow(
      "restored to an earlier point",
    );
    for (const end of ["", "-wal", "-shm"]) rmSync(`${two.file}${end}`, { force: true });
    const { store } = await (await createHost(address, "two", two.directory)).member();
    expect([store.load("c-1")?.state.seq, store.load("c-3")]).toEqual([state.seq + 1, null]);
  });

  it("whose replica follows a moment behind is not mistaken for it: the replica takes nothing, and hosts that have more end", async () => {
    const primary = await started();
    const address = await primary.create();
    const replica = await primary.follow();
    onTestFinished(() => replica.end());
    const name = new URL(address).pathname.slice(1);
    const there = addressOf(replica.directory, name);
    const cutting = await startCutting(primary.directory);
    onTestFinished(() => cutting.end());
    const through = addressOf(cutting.directory, name);
    const one = await createHost(through, "one");
    const a = await one.member();
    const { store, lease } = a;
    const state = await beginIn(store);

    await vi.waitFor(async () => expect(await seqAt(there)).toBe(await seqAt(address)));
    const said: string[] = [];
    const wrong = await openDatabase(there, "two");
    expect((await wrong.inspect()).map(({ found }) => found)).toContain("the database is read-only");
    const leaving = new AbortController();
    const log = {
      ...silentLog,
      warn: (_: string, fields?: LogFields) => void said.push(String(fields?.["why"])),
    };
    const joining = wrong.join(join(temporary(), "parley.sqlite"), log, leaving.signal);
    await vi.waitFor(() =>
      expect(said).toEqual([expect.stringContaining("Point PARLEY_DATABASE at the primary")]),
    );
    leaving.abort();
    expect(await joining).toBeNull();

    const next = await takeIn(store, commitOf(state));
    await vi.waitFor(async () => expect(await seqAt(there)).toBe(await seqAt(address)));
    await asked(there, "ALTER SYSTEM SET primary_conninfo = ''");
    await asked(there, "SELECT pg_reload_conf()");
    const following = "SELECT pid FROM pg_stat_replication";
    await vi.waitFor(async () => expect(await asked(address, following)).toEqual([]));
    await takeIn(store, commitOf(next));
    await primary.stop("QUIT");
    await asked(there, "SELECT pg_promote()");
    cutting.turnTo(replica.directory);
    expect(await store.setTitle("c-1", "lost", null)).toMatchObject({ kind: "failed", code: "io" });
    expect(await lease.over).toBe("lost");
    await leave(a);
    await expect((await createHost(through, "one", one.directory)).enter()).rejects.toThrow(
      "a failover lost",
    );
    const other = await (await createHost(through, "two")).member();
    expect(other.store.load("c-1")?.state.seq).toBe(next.seq);
    await takeIn(other.store, commitOf(next));
  });
});

const seqAt = async (address: string): Promise<unknown> =>
  (await asked(address, "SELECT seq::int FROM parley.lease"))[0]?.["seq"];
