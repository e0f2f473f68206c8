/** Handles a channel whose platform changes its id: all its data moves (WS12). */

import type { Database } from "better-sqlite3";
import type { Tables } from "../../ports/tables.ts";
import { createColumnReader } from "../base/column-reader.ts";

const IDENTIFIED: readonly string[] = ["threads", "inbox"];

export const createMovePlace = (
  db: Database,
  tables: readonly Tables[],
): ((surface: string, from: string, to: string) => void) => {
  const settings = keptByChannel(db).filter((one) => !IDENTIFIED.includes(one));
  const statements = [
    "UPDATE OR IGNORE threads SET place = @to WHERE surface = @surface AND place = @from",
    ...settings.flatMap((table) => [
      `UPDATE OR IGNORE ${table} SET place = @to WHERE surface = @surface AND place = @from`,
      `DELETE FROM ${table} WHERE surface = @surface AND place = @from`,
    ]),
    ...tables.flatMap(({ moves }) => moves ?? []),
    "UPDATE channels SET review = @to WHERE surface = @surface AND review = @from",
    // Arrivals keep a matching id, so that they are recognized; waiting ones are handled in the channel's new place.
    `UPDATE OR IGNORE inbox SET place = iif(place = @from, @to, place), id = replace(id, '/' || @from || '/', '/' || @to || '/'),
      lane = replace('/' || lane, '/' || @from || '/', '/' || @to || '/'), body = replace(body, '"' || @from || '"', '"' || @to || '"')
      WHERE surface = @surface AND (place = @from OR body LIKE '%"' || @from || '"%')`,
    "UPDATE inbox SET lane = substr(lane, 2) WHERE surface = @surface AND lane LIKE '/%'",
  ].map((sql) => db.prepare<[{ readonly surface: string; readonly from: string; readonly to: string }]>(sql));
  return (surface, from, to) => {
    for (const statement of statements) statement.run({ surface, from, to });
  };
};

/** Data of the new id stays, and conflicting data of the old id is deleted. */
const keptByChannel = (db: Database): readonly string[] =>
  createColumnReader(db).all<[], string>(`
    SELECT list.name FROM pragma_table_list AS list
    WHERE list.schema = 'main' AND list.strict
      AND 2 = (SELECT count(*) FROM pragma_table_info(list.name) WHERE name IN ('surface', 'place'))
    ORDER BY list.name`)();
