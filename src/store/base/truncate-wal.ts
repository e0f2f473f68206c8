/** Empties the write-ahead log, which otherwise keeps erased words until it overwrites their place. */

import type { Database } from "better-sqlite3";
import { BUSY_TIMEOUT } from "./connect.ts";
import { attemptWrite } from "./write.ts";

/** Milliseconds that emptying waits for readers; nothing is written in that time. */
const PATIENCE = 100;

/** Returns false if a reader, such as a backup, is active: call again later. */
export const truncateWal = (db: Database): boolean => {
  db.pragma(`busy_timeout = ${PATIENCE}`);
  const done = attemptWrite(
    () => ({ kind: "row", busy: db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) }) as const,
  );
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
  return done.kind === "row" && done.busy === 0;
};
