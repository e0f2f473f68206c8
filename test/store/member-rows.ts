/** Which hosts write, as the rows of a store say it, for tests of what reads those rows. */

import * as z from "zod";
import type { Rows } from "../../src/ports/rows.ts";

export const memberRows = (rows: Rows) => {
  const select = rows.select("SELECT name FROM members ORDER BY joined, name");
  const change = (sql: string) => (host: string, instance: string) =>
    rows.write([{ sql, values: { host, instance } }]);
  return {
    members: (): readonly string[] => names.parse(select({})).map(({ name }) => name),
    join: change(`
      INSERT INTO members (name, instance, joined) SELECT @host, @instance, coalesce(max(joined), 0) + 1 FROM members
      WHERE true ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, joined = excluded.joined`),
    leave: change("DELETE FROM members WHERE name = @host AND instance = @instance"),
  };
};

const names = z.array(z.object({ name: z.string() }));
