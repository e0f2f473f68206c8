/** Hosts of tests: each with a directory of its own, before one database. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { onTestFinished } from "vitest";
import { openFleetDatabase, type Lease } from "../../../src/store/replica/fleet-database.ts";
import { SHARED } from "../../../src/store/replica/shapes.ts";
import { writeFenced } from "../../../src/store/replica/write-fenced.ts";
import { silentLog } from "../../../src/store/silent-log.ts";
import { openStore } from "../../../src/store/sqlite.ts";
import { temporary } from "../kit.ts";

export const openDatabase = async (database: string, name: string) => {
  const opened = await openFleetDatabase({ database, name, version: "1" }, silentLog);
  if (opened.kind !== "open") throw new Error(opened.why);
  onTestFinished(() => opened.database.close());
  return opened.database;
};

export const createHost = async (address: string, name: string, directory = join(temporary(), name)) => {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "parley.sqlite");
  const database = await openDatabase(address, name);

  /** Stands by until it is active. */
  const lead = async (): Promise<Lease> => {
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const lease = await database.stand(file, stopping.signal);
    if (lease?.kind !== "lease") throw new Error(lease?.why ?? "aborted");
    onTestFinished(() => lease.release());
    return lease;
  };

  const open = (lease: Lease) => {
    const opened = openStore(directory, silentLog, writeFenced(lease.push));
    if (opened.kind === "failed") throw new Error(opened.message);
    onTestFinished(() => opened.store.close());
    return opened;
  };

  /** Keeps the replica up until it has the group, and lets it be. */
  const follow = async (seq: number): Promise<void> => {
    const stopping = new AbortController();
    const standing = database.stand(file, stopping.signal);
    while (seqOf(file) < seq)
      await Promise.race([standing, new Promise((resolve) => setTimeout(resolve, 10))]);
    stopping.abort();
    await standing;
  };

  return { name, directory, file, database, lead, open, follow };
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
export const rowsIn = (file: string): unknown => {
  const db = new Sqlite(file, { readonly: true });
  const rows = SHARED.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]);
  db.close();
  return rows;
};
