/** Every table and column says what becomes of it when a person is forgotten or a conversation is deleted. */

import { describe, expect, it, onTestFinished } from "vitest";
import { FEATURES } from "../../../src/app/features/list.ts";
import type { Tables } from "../../../src/ports/tables.ts";
import { connectDatabase } from "../../../src/store/base/connect.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { withCoreTables } from "../../../src/store/tables/all-rows.ts";
import { tablesOf } from "../../../src/store/tables/all-tables.ts";
import { besideOf } from "../beside.ts";
import { problemsOf } from "../declared.ts";
import { openWithConnection } from "../kit.ts";
import { begin, commitOf, take } from "../plain.ts";
import { TABLES } from "../tables.ts";

const ALL_ROWS = withCoreTables(TABLES);

describe("the declarations of tables", () => {
  it("name every table and column once", () => {
    expect(problemsOf(openWithConnection().db, ALL_ROWS)).toEqual([]);
  });

  it("lack a new table, a new column and a group that is left out", () => {
    const { db } = openWithConnection();
    db.exec("CREATE TABLE planted (words TEXT); ALTER TABLE watches ADD COLUMN planted TEXT");
    expect(problemsOf(db, ALL_ROWS)).toEqual([
      "planted.words is not declared",
      "watches.planted is not declared",
    ]);
    const [first, ...others] = ALL_ROWS;
    expect(problemsOf(openWithConnection().db, others).length).toBeGreaterThan(1);
    expect(
      problemsOf(openWithConnection().db, [...ALL_ROWS, ...(first === undefined ? [] : [first])]),
    ).toContain("alerts.key is declared twice");
  });

  it("erase what they call erased, and nothing else", () => {
    for (const { tables, erase } of ALL_ROWS) {
      const lists = Object.values(tables);
      const isOf = (...which: readonly ("person" | "conversation" | "both")[]): boolean =>
        lists.some((columns) => which.some((one) => columns[one] !== undefined));
      expect([tables, isOf("person", "both")]).toEqual([tables, erase.person.kind !== "kept"]);
      expect([tables, isOf("conversation", "both")]).toEqual([tables, erase.conversation.kind !== "kept"]);
    }
  });

  it("of features are those of their folders", () => {
    const ofFeatures = FEATURES.flatMap(({ tables }) => tables);
    expect(new Set(ofFeatures)).toEqual(new Set(TABLES));
    expect(ofFeatures.length).toBeGreaterThan(3);
  });

  it("name triggers that exist", () => {
    const { db } = openWithConnection();
    const there = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    const named = ALL_ROWS.flatMap(({ erase: { person, conversation } }) =>
      [person, conversation].flatMap((one) => (one.kind === "trigger" ? one.triggers : [])),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const one of named) expect(there).toContain(one);
  });

  it("do not compile without both erasures", () => {
    const rows = { tables: {} } as const;
    const person = { kind: "kept", why: "no words" } as const;
    // @ts-expect-error there is no `erase`
    const none: Tables = rows;
    // @ts-expect-error there is none for a conversation
    const half: Tables = { ...rows, erase: { person } };
    const whole: Tables = { ...rows, erase: { person, conversation: person } };
    expect([none, half, whole]).toHaveLength(3);
  });
});

/** As migrations of a feature leave them. */
const LEFT = `
CREATE TABLE left_choices (surface TEXT, place TEXT, set_by TEXT, text TEXT) STRICT;
CREATE TABLE left_threads (conversation TEXT, text TEXT) STRICT;
INSERT INTO left_choices VALUES ('slack', 'C1', 'slack:U1', 'first'), ('slack', 'C1', 'slack:U2', 'second');
INSERT INTO left_threads VALUES ('c-1', 'first'), ('c-2', 'second')`;

/** What the feature says of them, if it is there. */
const DECLARED: readonly Tables[] = [
  {
    tables: {
      left_choices: { person: ["text"], kept: { ids: ["surface", "place", "set_by"] } },
      left_threads: { conversation: ["conversation", "text"] },
    },
    erase: {
      person: { kind: "person", sql: ["DELETE FROM left_choices WHERE set_by = @person"] },
      conversation: { kind: "hidden", sql: ["DELETE FROM left_threads WHERE conversation = ?"] },
    },
  },
];

const openLeft = (declared: readonly Tables[]) => {
  const connected = connectDatabase(":memory:");
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  onTestFinished(() => void db.close());
  db.exec(LEFT);
  const { store, chat } = besideOf(db, tablesOf(db, silentLog, declared));
  const state = begin(store, "c-1");
  begin(store, "c-2");
  const textsIn = (table: string) => db.prepare(`SELECT text FROM ${table} ORDER BY text`).pluck().all();
  const left = () => ({ choices: textsIn("left_choices"), threads: textsIn("left_threads") });
  const places = () => db.prepare("SELECT DISTINCT place FROM left_choices").pluck().all();
  return { store, chat, state, left, places };
};

const ALL_LEFT = { choices: ["first", "second"], threads: ["first", "second"] };
const ERASURE = {
  words: [{ id: "m-1", words: { kind: "gone" } }],
  claims: [],
  title: null,
  uninstructed: false,
} as const;

describe("tables of a feature that this program lacks", () => {
  it("stay as they are, and move with their channel", () => {
    const { store, chat, state, left, places } = openLeft([]);
    take(store, commitOf(state));
    chat.movePlace("slack", "C1", "C9");
    expect([left(), places()]).toEqual([ALL_LEFT, ["C9"]]);
  });

  it("are emptied when a person is forgotten: nothing knows which words are whose", () => {
    const lacking = openLeft([]);
    lacking.store.forgetBeside("slack:U1");
    expect(lacking.left()).toEqual({ choices: [], threads: [] });
    const having = openLeft(DECLARED);
    having.store.forgetBeside("slack:U1");
    expect(having.left()).toEqual({ ...ALL_LEFT, choices: ["second"] });
  });

  it("lose the rows of a conversation in which something is erased", () => {
    const lacking = openLeft([]);
    take(lacking.store, commitOf(lacking.state, { erasure: ERASURE }));
    expect(lacking.left()).toEqual({ ...ALL_LEFT, threads: ["second"] });
    const having = openLeft(DECLARED);
    take(having.store, commitOf(having.state, { erasure: ERASURE }));
    expect(having.left()).toEqual(ALL_LEFT);
  });

  it("lose the rows of a conversation that is removed", () => {
    for (const declared of [[], DECLARED]) {
      const { store, left } = openLeft(declared);
      store.hide("c-1");
      expect(left()).toEqual({ ...ALL_LEFT, threads: ["second"] });
    }
  });
});
