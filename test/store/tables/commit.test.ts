/** A step is stored whole or not at all. */

import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { MessageId } from "../../../src/machine/id.ts";
import type { Entry } from "../../../src/machine/transcript.ts";
import type { Commit } from "../../../src/ports/store.ts";
import type { BesideStore } from "../beside.ts";
import { dump, openWithConnection, temporary } from "../kit.ts";
import { asked, begin, claimOf, commitOf, decided, notice, operator, stateOf, take } from "../plain.ts";

const base = { turn: 1, seq: 2, at: 1 };
const said = (message: MessageId): Entry => ({
  ...base,
  kind: "said",
  message,
  speaker: operator,
  images: 0,
});
const note: Entry = { ...base, kind: "note", note: "upgraded" };
const wordsOf = (id: MessageId) => ({ id, words: { kind: "comment", text: "words" } }) as const;

/** A step that writes every table, in a store where each kind of write has something to meet. */
const busyStep = (store: BesideStore): Commit => {
  const before = begin(store);
  store.claim(claimOf("1"));
  const words = [wordsOf("m-1")];
  const first = take(
    store,
    commitOf(before, { words, posts: [notice("a", 1)], questions: [asked(1, "w1")] }),
  );
  return commitOf(first, {
    claim: claimOf("1"),
    append: [said("m-2"), said("m-1"), note],
    words: [wordsOf("m-2"), wordsOf("m-3")],
    posts: [notice("a", 2), notice("b", 1)],
    questions: [decided(1, "approve"), asked(2, "w2")],
  });
};

const writes = [
  ["INSERT", "messages", "NEW.position IS NULL"],
  ["INSERT", "messages", "NEW.position = 0"],
  ["UPDATE", "messages", "NEW.position = 1"],
  ["INSERT", "messages", "NEW.position = 2"],
  ["INSERT", "events", "1"],
  ["UPDATE", "questions", "NEW.status = 'approve'"],
  ["INSERT", "questions", "NEW.status = 'pending'"],
  ["UPDATE", "posts", "NEW.key = 'a'"],
  ["INSERT", "posts", "NEW.key = 'b'"],
  ["UPDATE", "claims", "NEW.outcome IS NOT NULL"],
  ["UPDATE", "conversations", "1"],
] as const;

/** The answer to a step while `hinder` holds, after making sure that it left nothing and works after `help`. */
const hindered = (name: string, hinder: (db: Database) => void, help: (db: Database) => void) => {
  const { store, db } = openWithConnection(name);
  const step = busyStep(store);
  const long = { id: "m-4", words: { kind: "comment", text: "x".repeat(1_000_000) } } as const;
  const large = { ...step, words: [...step.words, long] };
  const before = dump(db);
  hinder(db);
  const refused = store.commit(large);
  expect(dump(db)).toEqual(before);
  help(db);
  expect(store.commit(large)).toMatchObject({ kind: "committed" });
  return refused;
};

describe("a commit that fails", () => {
  it.each(writes)("in the middle leaves nothing behind: %s %s when %s", (verb, table, when) => {
    const { store, db } = openWithConnection(":memory:");
    const step = busyStep(store);
    const before = dump(db);
    db.exec(`CREATE TRIGGER broken BEFORE ${verb} ON ${table} WHEN ${when}
      BEGIN SELECT RAISE(ABORT, 'broken'); END`);
    expect(store.commit(step)).toEqual({
      kind: "failed",
      code: "conflict",
      message: "SQLITE_CONSTRAINT_TRIGGER: broken",
    });
    expect(dump(db)).toEqual(before);
    db.exec("DROP TRIGGER broken");
    expect(store.commit(step)).toMatchObject({ kind: "committed" });
  });

  it("because the disk is full says so, stores nothing, and can be repeated when there is room", () => {
    const refused = hindered(
      join(temporary(), "parley.sqlite"),
      (db) => db.pragma(`max_page_count = ${String(db.pragma("page_count", { simple: true }))}`),
      (db) => db.pragma("max_page_count = 1000000"),
    );
    expect(refused).toMatchObject({ kind: "failed", code: "disk_full" });
  });

  it("because the file cannot be written says so", () => {
    const refused = hindered(
      ":memory:",
      (db) => db.pragma("query_only = ON"),
      (db) => db.pragma("query_only = OFF"),
    );
    expect(refused).toMatchObject({ kind: "failed", code: "read_only" });
  });

  it("because its step was taken already changes nothing", () => {
    const { store, db } = openWithConnection(":memory:");
    const before = begin(store);
    take(store, commitOf(before, { posts: [notice("a", 1)] }));
    const rows = dump(db);
    expect(store.commit(commitOf(before, { posts: [notice("a", 2)] }))).toMatchObject({ kind: "failed" });
    expect(dump(db)).toEqual(rows);
  });

  it("because there is no such conversation changes nothing", () => {
    const { store, db } = openWithConnection(":memory:");
    const rows = dump(db);
    expect(store.commit(commitOf(stateOf("c-9")))).toMatchObject({ kind: "failed", code: "conflict" });
    expect(dump(db)).toEqual(rows);
  });
});
