/** A host with 100,000 conversations stays as quick as one with a hundred. */

import Database from "better-sqlite3";
import { expect, it, vi } from "vitest";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { openFeaturesOf } from "../adapters/open-features.ts";
import { createManualClock } from "../runtime/world.ts";
import { openAt, openGrouped, openWithConnection, temporary } from "./kit.ts";

/** A step that reads all rows of a table to which people, conversations or their messages add. */
const READS_ALL =
  /^SCAN (?:conversations|messages|events|posts|claims|questions|announcements|deliveries|threads|inbox|cursors|bindings|participants|heard|searched|replies|answers)(?! USING)/;

/** Who may, each by a piece of its words. */
const MAY: readonly (readonly [why: string, words: string])[] = [
  ["removing a conversation: a row for each question that a list names", "DELETE FROM announcements"],
  [
    "the console's list of channels: a row for each channel with a repository",
    "SELECT surface, place FROM bindings UNION",
  ],
  ["a new prompt, where rows are captured: SQLite looks who refers to it", "INSERT INTO prefixes"],
];

const mayReadAll = (sql: string): boolean => MAY.some(([, words]) => sql.includes(words));

it("no statement of the store reads all rows of a table that grows", async () => {
  const statements = await statementsOfTheStore();
  expect(statements.length).toBeGreaterThan(140);
  const { db } = openWithConnection();
  const reading = statements.filter((sql) => planOf(db, sql).some((step) => READS_ALL.test(step)));
  expect(reading.filter((sql) => !mayReadAll(sql))).toEqual([]);
  expect(MAY.filter(([, words]) => !reading.some((sql) => sql.includes(words)))).toEqual([]);
  expect(planOf(db, "SELECT id FROM conversations WHERE title = ?")).toEqual(["SCAN conversations"]);
});

it("what has no parent is not looked for by that: nearly every conversation has none", async () => {
  const { db } = openWithConnection();
  const byNone = (sql: string): boolean =>
    sql.includes("parent IS NULL") && planOf(db, sql).some((step) => step.includes("conversations_of ("));
  expect((await statementsOfTheStore()).filter(byNone)).toEqual([]);
  expect(byNone("SELECT id FROM conversations WHERE removed = 1 AND parent IS NULL")).toBe(true);
});

/** With those of features. */
const statementsOfTheStore = async (): Promise<readonly string[]> => {
  const prepare = vi.spyOn(Database.prototype, "prepare");
  try {
    const opened = openGrouped();
    const bot = { create: never, say: never, read: never, act: never, forget: never };
    const clock = createManualClock();
    await openFeaturesOf({ ...opened, bot, surfaces: () => [], clock, log: silentLog });
    openAt(temporary());
    const all = prepare.mock.calls.map(([sql]) => sql.replaceAll(/\s+/g, " ").trim());
    return [...new Set(all)].filter((sql) => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(sql));
  } finally {
    prepare.mockRestore();
  }
};

const never = () => Promise.reject(new Error("nobody asks it"));

const planOf = (db: Database.Database, sql: string): readonly string[] => {
  const names = [...sql.matchAll(/[@:$]([a-z_]\w*)/gi)].map(([, name]) => name);
  const named = Object.fromEntries(names.map((name) => [name, null]));
  const others = [...sql.matchAll(/\?/g)].map(() => null);
  return db
    .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...others, ...(names.length === 0 ? [] : [named]))
    .map(({ detail }) => detail);
};
