import type { Database } from "better-sqlite3";
import type { Log } from "../../ports/host.ts";
import type { Tables } from "../../ports/tables.ts";
import { createRead } from "../base/codec.ts";
import { createStore } from "./store.ts";
import { allTables } from "./all-rows.ts";
import { createAnswers } from "./answers.ts";
import { createChatStore } from "./chat.ts";
import { createCursors } from "./cursors.ts";
import { createDeliveries } from "./deliveries.ts";
import { createFeedback, setHashing } from "./feedback.ts";
import { createFigures } from "./figures.ts";
import { createNotes } from "./notes.ts";
import { createRows } from "./rows.ts";
import { createSpending } from "./spending.ts";

export type StoreParts = ReturnType<typeof tablesOf>;

export const tablesOf = (db: Database, log: Log, ofFeatures: readonly Tables[]) => {
  const read = createRead(log);
  setHashing(db);
  const tables = allTables(db, ofFeatures);
  return {
    store: createStore(db, log, tables, () => void db.close()),
    ledger: createDeliveries(db, read),
    chat: createChatStore(db, read, tables),
    cursors: createCursors(db, read),
    purse: createSpending(db, read),
    figures: createFigures(db),
    notes: createNotes(db, read),
    answers: createAnswers(db, read),
    feedback: createFeedback(db, read),
    rows: createRows(db),
  };
};
