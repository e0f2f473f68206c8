/** Everything that reads and writes beside one connection. */

import type { Database } from "better-sqlite3";
import type { Log } from "../runtime/ports.ts";
import { createChatStore } from "./chat.ts";
import { createRead } from "./codec.ts";
import { createCursors } from "./cursors.ts";
import { createDeliveries } from "./deliveries.ts";
import type { Parts } from "./direct.ts";
import { createAlertRows } from "./alerts.ts";
import { createFigures } from "./figures.ts";
import { createPurse } from "./purse.ts";
import { createSearch } from "./search.ts";
import { createStore } from "./store.ts";

export const partsOf = (db: Database, log: Log): Parts => {
  const read = createRead(log);
  return {
    store: createStore(db, log, () => void db.close()),
    ledger: createDeliveries(db, read),
    chat: createChatStore(db, read),
    cursors: createCursors(db, read),
    purse: createPurse(db, read),
    search: createSearch(db, read),
    figures: createFigures(db),
    alerts: createAlertRows(db, read),
  };
};
