/** Hosts of tests: each with a directory of its own, before one database. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { onTestFinished } from "vitest";
import { openFleetDatabase } from "../../../../src/features/cluster/database/fleet-database.ts";
import type { Lease } from "../../../../src/features/cluster/database/member.ts";
import { sharedIn } from "../../../../src/features/cluster/database/shapes.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { openStore } from "../../../store/open-store.ts";
import { createFleetRows } from "../../../../src/features/cluster/work/rows.ts";
import { writeShared } from "../../../../src/store/write/writer.ts";
import { temporary } from "../../../store/kit.ts";

export const openDatabase = async (database: string, name: string) => {
  const opened = await openFleetDatabase({ database, name, version: "1" });
  if (opened.kind !== "open") throw new Error(opened.why);
  onTestFinished(() => opened.database.close());
  return opened.database;
};

export const createHost = async (address: string, name: string, directory = join(temporary(), name)) => {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "parley.sqlite");
  const database = await openDatabase(address, name);

  /** Stands by until it is a member. */
  const enter = async (): Promise<Lease> => {
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const lease = await database.join(file, silentLog, stopping.signal);
    if (lease?.kind !== "lease") throw new Error(lease?.why ?? "aborted");
    onTestFinished(() => lease.release());
    return lease;
  };

  /** Joins, opens its store, and is there for the others. */
  const member = async () => {
    const lease = await enter();
    const opened = openStore(directory, silentLog, writeShared(lease.writing));
    if (opened.kind === "failed") throw new Error(opened.message);
    onTestFinished(() => opened.store.close());
    const fleet = createFleetRows(opened.rows);
    const settled = await lease.settle(fleet);
    if (settled.kind === "failed") throw new Error(settled.message);
    return { ...opened, fleet, lease, others: lease.fleet };
  };

  return { name, directory, file, database, enter, member };
};

/** Settles when every replica has all that the database has. */
export const even = async (address: string, ...files: readonly string[]): Promise<number> => {
  for (;;) {
    const [lease] = await asked(address, "SELECT seq::int FROM parley.lease");
    const seq = Number(lease?.["seq"]);
    if (files.every((file) => seqOf(file) === seq)) return seq;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

/** Asks the database itself, which may be read-only for others. */
export const asked = async (address: string, text: string): Promise<readonly Record<string, unknown>[]> => {
  const options = "-c default_transaction_read_only=off";
  const client = new pg.Client({ connectionString: address, options });
  await client.connect();
  try {
    const { rows } = await client.query(text);
    return rows;
  } finally {
    await client.end();
  }
};

export const seqOf = (file: string): number => {
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true });
    const seq = Number(db.prepare("SELECT seq FROM replica").pluck().get());
    db.close();
    return seq;
  } catch {
    return -1;
  }
};

/** Every row that hosts share, in the order in which the file has them. */
export const rowsIn = (file: string): readonly (readonly [string, unknown])[] => {
  const db = new Sqlite(file, { readonly: true });
  const rows = sharedIn(db).map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()] as const);
  db.close();
  return rows;
};
