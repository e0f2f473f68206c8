/** Figures for whoever looks after the host, each from an index that holds only what waits. */

import type { Database } from "better-sqlite3";
import type { Figures } from "../../ports/figures.ts";
import { createPluck } from "../pluck.ts";

interface Counted {
  readonly surface: string;
  readonly n: number;
}

export const createFigures = (db: Database): (() => Figures) => {
  const working = createPluck(db).one<[], number>(`
    SELECT (SELECT count(*) FROM conversations WHERE phase IN ('thinking', 'running', 'stopping', 'summarizing')) +
      (SELECT count(*) FROM conversations WHERE phase = 'awaitingAgents')`);
  const selectBehind = db.prepare<[], Counted>(
    "SELECT surface, count(*) AS n FROM threads WHERE behind = 1 GROUP BY surface",
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
