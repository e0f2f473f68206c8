/** What stands beside a database, each write a transaction of its own unless one is open. */

import type { Database } from "better-sqlite3";
import type { Commit, Store } from "../../src/ports/store.ts";
import type { StoreParts } from "../../src/store/tables/all-tables.ts";
import { committed, rowsOf } from "../../src/store/tables/step-rows.ts";
import { createBatch } from "../../src/store/write/batch.ts";
import type { DirectStore } from "../../src/store/tables/store.ts";
import { attemptWrite, isWrite } from "../../src/store/base/write.ts";

export interface BesideStore extends DirectStore {
  commit(commit: Commit): Awaited<ReturnType<Store["commit"]>>;
}

export interface Beside extends StoreParts {
  readonly store: BesideStore;
}

export const besideOf = (db: Database, parts: StoreParts): Beside => {
  const batch = createBatch(db, parts);
  const inBatch = (port: string, name: string, member: unknown): unknown => {
    if (!isWrite(member)) return member;
    const write = (...given: unknown[]): unknown =>
      db.inTransaction
        ? member(...given)
        : batch([{ port, name, given }] as unknown as Parameters<typeof batch>[0])[0];
    return Object.assign(write, member);
  };
  const ports = Object.entries(parts).map(([port, members]: [string, object]) => [
    port,
    typeof members === "function"
      ? members
      : Object.fromEntries(
          Object.entries(members).map(([name, member]) => [name, inBatch(port, name, member)]),
        ),
  ]);
  const beside = Object.fromEntries(ports) as StoreParts;
  const commit: BesideStore["commit"] = (one) => {
    const rows = attemptWrite(() => ({ kind: "rows", rows: rowsOf(one) }) as const);
    return rows.kind === "failed" ? rows : committed(one, beside.store.step(rows.rows));
  };
  return { ...beside, store: { ...beside.store, commit } };
};
