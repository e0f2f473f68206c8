/** Everything that reads and writes beside one connection. */

import type { Database } from "better-sqlite3";
import type { Log } from "../ports/host.ts";
import { createRead } from "./codec.ts";
import { createStore } from "./store.ts";
import { createAnswers } from "./tables/answers.ts";
import { createChatStore } from "./tables/chat.ts";
import { createCursors } from "./tables/cursors.ts";
import { createDeliveries } from "./tables/deliveries.ts";
import { createFeedback } from "./tables/feedback.ts";
import { createFigures } from "./tables/figures.ts";
import { createNotes } from "./tables/notes.ts";
import { createRows } from "./tables/rows.ts";
import { createSpending } from "./tables/spending.ts";
import { createSearch } from "./tables/search.ts";

/** The ports of a store, and its figures. */
export type Parts = ReturnType<typeof tablesOf>;

export const tablesOf = (db: Database, log: Log) => {
  const read = createRead(log);
  return {
    store: createStore(db, log, () => void db.close()),
    ledger: createDeliveries(db, read),
    chat: createChatStore(db, read),
    cursors: createCursors(db, read),
    purse: createSpending(db, read),
    search: createSearch(db, read),
    figures: createFigures(db),
    notes: createNotes(db, read),
    answers: createAnswers(db, read),
    feedback: createFeedback(db, read),
    rows: createRows(db),
  };
};
