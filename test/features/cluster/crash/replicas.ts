/** What the copies of the database say that hosts have: read from their files, whatever the hosts do meanwhile. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { z } from "zod";
import { sharedIn } from "../../../../src/features/cluster/database/shapes.ts";

const reading = <T>(data: string, read: (db: Database.Database) => T): T => {
  const db = new Database(join(data, "parley.sqlite"), { readonly: true });
  try {
    return db.transaction(() => read(db))();
  } finally {
    db.close();
  }
};

export const leaderIn = (data: string): string =>
  reading(data, (db) =>
    z.string().parse(db.prepare("SELECT name FROM members ORDER BY joined, name").pluck().get()),
  );

interface Copy {
  /** The last group of writes that it has. */
  readonly seq: number;
  /** By table. */
  readonly sums: Readonly<Record<string, string>>;
}

export const copyIn = (data: string): Copy =>
  reading(data, (db) => ({
    seq: z.number().parse(db.prepare("SELECT seq FROM replica").pluck().get()),
    sums: Object.fromEntries(
      sharedIn(db).map((table) => {
        const rows = db.prepare(`SELECT * FROM "${table}"`).raw().all();
        const lines = rows.map((row) => JSON.stringify(row)).toSorted();
        return [table, `${lines.length} ${createHash("sha256").update(lines.join("\n")).digest("hex")}`];
      }),
    ),
  }));
