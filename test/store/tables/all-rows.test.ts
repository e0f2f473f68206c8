/** Every table and column says what becomes of it when a person is forgotten or a conversation is deleted. */

import type { Database } from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Tables } from "../../../src/ports/tables.ts";
import { ALL_ROWS } from "../../../src/store/tables/all-rows.ts";
import { problemsOf } from "../declared.ts";
import { openWithConnection } from "../kit.ts";

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
    const rows = { owner: "core", tables: {} } as const;
    const person = { kind: "kept", why: "no words" } as const;
    // @ts-expect-error there is no `erase`
    const none: Tables<Database> = rows;
    // @ts-expect-error there is none for a conversation
    const half: Tables<Database> = { ...rows, erase: { person } };
    const whole: Tables<Database> = { ...rows, erase: { person, conversation: person } };
    expect([none, half, whole]).toHaveLength(3);
  });
});
