/** Opening a data directory: who may, what for, and what people are told when it cannot be. */

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { connectDatabase } from "../../src/store/base/connect.ts";
import { migrate, migrateTo, SCHEMA } from "../../src/store/base/migrations.ts";
import { openStoreForReading } from "../../src/store/sqlite.ts";
import { openStore } from "./open-store.ts";
import { openAt, openWithConnection, temporary } from "./kit.ts";
import { beginIn, commitOf, stateOf, takeIn } from "./plain.ts";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A directory that holds a store with one conversation, closed. */
const closedStore = async (): Promise<{ directory: string; name: string }> => {
  const directory = join(temporary(), "data");
  const store = openAt(directory);
  await beginIn(store);
  await store.close();
  return { directory, name: join(directory, "parley.sqlite") };
};

const alter = (name: string, sql: string): void => {
  const db = new Database(name);
  db.exec(sql);
  db.close();
};

const refusal = (directory: string): string => {
  const opened = openStore(directory);
  if (opened.kind === "open") void opened.store.close();
  return opened.kind === "failed" ? opened.message : "it was opened";
};

describe("a data directory", () => {
  it("is made for its owner alone, files included", async () => {
    const directory = join(temporary(), "a", "data");
    await beginIn(openAt(directory));
    expect(modeOf(directory)).toBe(0o700);
    for (const file of ["parley.sqlite", "parley.sqlite-wal", "parley.sqlite-shm", "parley.lock"]) {
      expect(modeOf(join(directory, file))).toBe(0o600);
    }
  });

  it("that exists keeps its mode, and the database in it is closed to others", async () => {
    const { directory, name } = await closedStore();
    chmodSync(directory, 0o755);
    chmodSync(name, 0o644);
    openAt(directory);
    expect(modeOf(directory)).toBe(0o755);
    expect(modeOf(name)).toBe(0o600);
  });

  it("keeps what was stored", async () => {
    const { directory } = await closedStore();
    expect(openAt(directory).load("c-1")?.state).toEqual(stateOf("c-1"));
  });

  it("is used by one store at a time", async () => {
    const directory = join(temporary(), "data");
    const first = openAt(directory);
    expect(refusal(directory)).toBe(`another Parley process uses ${directory}`);
    await beginIn(first);
    await first.close();
    expect(openAt(directory).load("c-1")).not.toBeNull();
  });

  it("that cannot be made is named", () => {
    const file = join(temporary(), "file");
    writeFileSync(file, "");
    expect(refusal(join(file, "data"))).toContain(join(file, "data"));
  });

  it("can be read while it is used, and sees what is committed meanwhile", async () => {
    const directory = join(temporary(), "data");
    const store = openAt(directory);
    const state = await beginIn(store);
    const reader = openStoreForReading(directory);
    if (reader.kind === "failed") throw new Error(reader.message);
    await takeIn(store, commitOf(state));
    expect([...reader.store.trace("c-1")]).toEqual([...store.trace("c-1")]);
    expect(reader.store.load("c-1")?.state.seq).toBe(1);
    reader.store.close();
    await takeIn(store, commitOf({ ...state, seq: 1 }));
  });

  it("is neither made nor changed by reading", () => {
    const directory = temporary();
    expect(openStoreForReading(directory)).toMatchObject({ kind: "failed" });
    expect(readdirSync(directory)).toEqual([]);
    writeFileSync(join(directory, "parley.sqlite"), "");
    expect(openStoreForReading(directory)).toEqual({
      kind: "failed",
      message: `${join(directory, "parley.sqlite")} is of an older version. Start Parley once to upgrade the database.`,
    });
    expect(statSync(join(directory, "parley.sqlite")).size).toBe(0);
  });
});

describe("a database", () => {
  it("loses nothing that was acknowledged: write-ahead log, a sync at every commit, foreign keys", () => {
    const { db } = openWithConnection(join(temporary(), "parley.sqlite"));
    const pragma = (name: string) => db.pragma(name, { simple: true });
    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(2);
    expect(pragma("foreign_keys")).toBe(1);
    expect(pragma("busy_timeout")).toBe(5_000);
  });

  it("of a newer version is refused unchanged, naming both versions and the remedy", async () => {
    const { directory, name } = await closedStore();
    alter(name, "PRAGMA user_version = 99");
    const bytes = readFileSync(name);
    expect(refusal(directory)).toBe(
      `${name} has schema 99, and this version of Parley knows schemas up to ${SCHEMA}. ` +
        "Start the newer Parley that wrote the database, or restore a backup from before the upgrade.",
    );
    expect(readFileSync(name).equals(bytes)).toBe(true);
    alter(name, `PRAGMA user_version = ${SCHEMA}`);
    expect(openAt(directory).load("c-1")).not.toBeNull();
  });

  it.each([
    ["another program's database", "CREATE TABLE notes (a); INSERT INTO notes VALUES (1)"],
    ["an empty one with another program's mark", "PRAGMA application_id = 7"],
    ["an empty one with another program's version", "PRAGMA user_version = 7"],
  ])("that is %s is refused unchanged", (_, sql) => {
    const directory = temporary();
    const name = join(directory, "parley.sqlite");
    alter(name, sql);
    const bytes = readFileSync(name);
    expect(refusal(directory)).toContain(`${name} is not a database of Parley. Move the file away`);
    expect(readFileSync(name).equals(bytes)).toBe(true);
  });

  it("whose file is empty is taken as new", async () => {
    const directory = temporary();
    writeFileSync(join(directory, "parley.sqlite"), "");
    await beginIn(openAt(directory));
  });

  it("that is no database, damaged, or a directory is named with a remedy, and the lock is free again", async () => {
    const { directory, name } = await closedStore();
    const bytes = readFileSync(name);
    writeFileSync(
      name,
      "not a database at all, but long enough to hold a header of one hundred bytes".repeat(9),
    );
    expect(refusal(directory)).toBe(
      `${name} is not an SQLite database, or the first page is damaged. ` +
        "Restore a backup, or move the file away to start empty.",
    );
    writeFileSync(name, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
    expect(refusal(directory)).toMatch(/is damaged\. Restore a backup/);
    writeFileSync(name, bytes);
    expect(openAt(directory).load("c-1")).not.toBeNull();
    const other = temporary();
    mkdirSync(join(other, "parley.sqlite"));
    expect(refusal(other)).toContain(join(other, "parley.sqlite"));
  });
});

const versionOf = (db: Database.Database) => db.pragma("user_version", { simple: true });

describe("migrations", () => {
  it("are numbered without gaps, because a database stores how many it has", () => {
    const folder = join(import.meta.dirname, "../../src/store/migrations");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const numbers = names.flatMap((name) => (/(\d{4})-[^/]*\.sql$/.exec(name) ?? []).slice(1)).toSorted();
    expect(numbers.map(Number)).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers).toHaveLength(SCHEMA);
  });

  const steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE c (x); SELECT no_such_function()"];

  it("run once each, from where the file is", () => {
    const db = new Database(":memory:");
    expect(migrate(db, "f", steps.slice(0, 1))).toEqual({ kind: "ready" });
    expect(migrate(db, "f", steps.slice(0, 2))).toEqual({ kind: "ready" });
    expect(migrate(db, "f", steps.slice(0, 2))).toEqual({ kind: "ready" });
    expect(versionOf(db)).toBe(2);
    expect(migrate(db, "f", steps.slice(0, 1))).toMatchObject({ kind: "refused" });
  });

  it("bring a file of schema 1 to this one with what it holds", () => {
    const name = join(temporary(), "parley.sqlite");
    const old = new Database(name);
    expect(migrateTo(old, name, 1)).toEqual({ kind: "ready" });
    old.exec("INSERT INTO prefixes (hash, system, tools) VALUES ('h', '\"s\"', '[]')");
    expect(migrateTo(old, name, 29)).toEqual({ kind: "ready" });
    old.exec("INSERT INTO spent (day, scope, micro_usd) VALUES ('2026-11-22', 'day', 7)");
    const said = JSON.stringify({ kind: "said", text: "One." });
    old.exec(
      `INSERT INTO replies (surface, place, root, person, key, why, at) VALUES ('slack', 'C1', '', 'U1', 'k', '${said}', 1)`,
    );
    old.close();
    const { store, purse, chat, db } = openWithConnection(name);
    expect(versionOf(db)).toBe(SCHEMA);
    expect(store.prefix("h")).toEqual({ hash: "h", system: "s", tools: [] });
    expect(purse.all(["2026-11-22"])).toEqual([{ scope: "day", amount: 7 }]);
    const to = { place: "C1", root: null, person: "U1" };
    chat.owe("slack", to, { key: "l", why: { kind: "said", text: "Two." }, at: 2 });
    expect(chat.owedTo("slack", to)).toMatchObject({ key: "k", waiting: [{ key: "k" }, { key: "l" }] });
  });

  it("that fail leave the version before, whole", () => {
    const db = new Database(":memory:");
    expect(() => migrate(db, "f", steps)).toThrow("no_such_function");
    expect(versionOf(db)).toBe(2);
    expect(db.prepare("SELECT name FROM sqlite_schema ORDER BY name").pluck().all()).toEqual(["a", "b"]);
  });

  it("give the schema that queries find their rows in by index", () => {
    const connected = connectDatabase(":memory:");
    if (connected.kind === "refused") throw new Error(connected.message);
    const plan = (sql: string): string =>
      JSON.stringify(connected.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
    const listed = `SELECT * FROM conversations WHERE user_initiated = 1 AND archived = 0
      AND (updated_at, id) < (1, 'c') ORDER BY updated_at DESC, id DESC`;
    expect(plan(listed)).toMatch(/SEARCH conversations USING INDEX conversations_listed/);
    expect(plan(listed)).not.toMatch(/TEMP B-TREE/);
    const backwards =
      "SELECT entry FROM messages WHERE conversation = 'c' AND position >= 0 ORDER BY position DESC";
    expect(plan(backwards)).toMatch(/SEARCH messages USING INDEX messages_order/);
    expect(plan("SELECT * FROM claims WHERE outcome IS NULL ORDER BY arrival")).toMatch(
      /USING INDEX claims_open/,
    );
    expect(plan("SELECT * FROM threads WHERE surface = 's' AND behind = 1")).toMatch(
      /SEARCH threads USING INDEX threads_behind/,
    );
    expect(plan("SELECT * FROM deliveries WHERE conversation = 'c' AND post IN ('a', 'b')")).toMatch(
      /SEARCH deliveries USING INDEX deliveries_of_post/,
    );
  });
});
