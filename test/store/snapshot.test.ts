import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { connectDatabase } from "../../src/store/base/connect.ts";
import { takeSnapshot } from "../../src/store/snapshot.ts";
import { scratch } from "../scratch.ts";

const ROWS = 50;
const WORD = "plantedzebraword";

it("a copy holds each row once, so that what is forgotten in a restored database is gone from its bytes", () => {
  const directory = scratch("snapshot");
  const made = connectDatabase(join(directory, "parley.sqlite"));
  if (made.kind === "refused") throw new Error(made.message);
  made.db.exec("CREATE TABLE planted (id TEXT PRIMARY KEY NOT NULL, words TEXT NOT NULL)");
  const insert = made.db.prepare("INSERT INTO planted VALUES (?, ?)");
  // Long enough that pages are split while they are filled.
  for (let row = 0; row < ROWS; row += 1) insert.run(`row ${row}`, `${WORD} `.repeat(60));
  made.db.close();

  const copy = join(directory, "copy.sqlite");
  expect(takeSnapshot(directory, copy).kind).toBe("taken");
  expect(readFileSync(copy, "latin1").split(WORD)).toHaveLength(ROWS * 60 + 1);
  const restored = new Database(copy);
  restored.pragma("secure_delete = ON");
  restored.exec("UPDATE planted SET words = ''");
  restored.close();
  expect(readFileSync(copy, "latin1")).not.toContain(WORD);
});
