/** The log of a database keeps words that are erased until it comes round to their place, unless it is emptied. */

import type { Database } from "better-sqlite3";
import { BUSY_TIMEOUT } from "./connect.ts";
import { attemptWrite } from "./write.ts";

/** Milliseconds that emptying the log waits for those who read: nothing is written meanwhile. */
const PATIENCE = 100;

/** False where somebody reads now, such as a backup: it has to be tried again. */
export const truncateWal = (db: Database): boolean => {
  db.pragma(`busy_timeout = ${PATIENCE}`);
  const done = attemptWrite(
    () => ({ kind: "row", busy: db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) }) as const,
  );
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
  return done.kind === "row" && done.busy === 0;
};
