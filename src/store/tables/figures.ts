/** Figures for operators, each from an index that holds only waiting rows. */

import type { Database } from "better-sqlite3";
import type { Figures } from "../../ports/figures.ts";
import { STATUS_POST, TWIN_MARK } from "../../ports/surface.ts";
import { createColumnReader } from "../base/column-reader.ts";

/** Condition for a delivered thread that only waits for the check for a twin message. */
const IS_MARK = `state = 'planned' AND instr(key, '${TWIN_MARK}') > 0`;
const WAITS_FOR_TWIN = `
  delivered >= (SELECT revision FROM conversations WHERE id = threads.conversation)
  AND EXISTS (SELECT 1 FROM deliveries WHERE conversation = threads.conversation AND post = '${STATUS_POST}' AND ${IS_MARK})
  AND NOT EXISTS (SELECT 1 FROM deliveries WHERE conversation = threads.conversation AND post = '${STATUS_POST}' AND NOT (${IS_MARK}))`;

interface Counted {
  readonly surface: string;
  readonly n: number;
}

export const createFigures = (db: Database): (() => Figures) => {
  const working = createColumnReader(db).one<[], number>(`
    SELECT (SELECT count(*) FROM conversations WHERE phase IN ('thinking', 'running', 'stopping', 'summarizing')) +
      (SELECT count(*) FROM conversations WHERE phase = 'awaitingAgents')`);
  const selectBehind = db.prepare<[], Counted>(
    `SELECT surface, count(*) AS n FROM threads WHERE behind = 1 AND NOT (${WAITS_FOR_TWIN}) GROUP BY surface`,
  );
  const selectUnhandled = db.prepare<[], Counted>(
    "SELECT surface, count(*) AS n FROM inbox WHERE body IS NOT NULL GROUP BY surface",
  );
  const pages = (): number =>
    Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));

  return () => ({
    working: working() ?? 0,
    behind: bySurface(selectBehind.all()),
    unhandled: bySurface(selectUnhandled.all()),
    database: pages(),
  });
};

const bySurface = (rows: readonly Counted[]): Readonly<Record<string, number>> =>
  Object.fromEntries(rows.map(({ surface, n }) => [surface, n]));
