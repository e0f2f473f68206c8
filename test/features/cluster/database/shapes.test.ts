/** What hosts share of a store. */

import { expect, it } from "vitest";
import { LOCAL, shapesOf } from "../../../../src/features/cluster/database/shapes.ts";
import { openWithConnection } from "../../../store/kit.ts";

it("every table is shared but those of the search, and every shared row has a key", () => {
  const { db } = openWithConnection();
  const made = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
  const shapes = shapesOf(db);
  const others = made.filter((name) => !shapes.some(({ table }) => table === name));
  const ofSearch = [
    "search",
    "search_config",
    "search_content",
    "search_data",
    "search_docsize",
    "search_idx",
  ];
  expect(new Set(["replica", ...others])).toEqual(new Set<unknown>([...LOCAL, ...ofSearch]));
  for (const { key } of shapes) expect(key.length).toBeGreaterThan(0);
});
