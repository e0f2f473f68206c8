/** What hosts share of a store is decided for every table. */

import { expect, it } from "vitest";
import { LOCAL, SHARED, shapesOf } from "../../../src/store/replica/shapes.ts";
import { openWithConnection } from "../kit.ts";

it("every table is shared or of the host alone, and every shared row has a key", () => {
  const { db } = openWithConnection();
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')",
    )
    .pluck()
    .all()
    .filter((name) => !name.startsWith("sqlite_"));
  const known = [...SHARED, ...LOCAL].filter((name) => name !== "replica");
  expect(tables.toSorted()).toEqual(known.toSorted());
  for (const { key } of shapesOf(db)) expect(key.length).toBeGreaterThan(0);
});
