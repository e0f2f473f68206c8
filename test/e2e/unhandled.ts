import { join } from "node:path";
import Database from "better-sqlite3";

/** A click that was answered and is not yet marked so is answered again by the next process. */
export const unhandled = (data: string): unknown => {
  const db = new Database(join(data, "parley.sqlite"), { readonly: true });
  try {
    return db.prepare("SELECT count(*) FROM inbox WHERE body IS NOT NULL").pluck().get();
  } finally {
    db.close();
  }
};
