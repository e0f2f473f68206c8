/** A conversation of a host that left keeps that host's name until another host takes the conversation. */

import * as z from "zod";
import type { WriteFailure } from "../../../ports/host.ts";
import type { RowChange, Rows } from "../../../ports/rows.ts";
import type { FleetRows, HomeId } from "../ports/fleet.ts";

const found = z.array(z.object({ found: z.string() }));

export const createFleetRows = (rows: Pick<Rows, "select" | "write">): FleetRows => {
  const select = (sql: string): ((values: RowChange["values"]) => readonly string[]) => {
    const ask = rows.select(sql);
    return (values) => found.parse(ask(values)).map((row) => row.found);
  };
  const selectMembers = select("SELECT name AS found FROM members ORDER BY joined, name");
  const selectInstance = select("SELECT instance AS found FROM members WHERE name = @host");
  const selectOwner = select(
    "SELECT host AS found FROM homes JOIN members ON members.name = host WHERE home = @home",
  );
  const instanceOf = (host: string): string | null => selectInstance({ host })[0] ?? null;
  const ownerOf = (home: HomeId): string | null => selectOwner({ home })[0] ?? null;

  return {
    members: () => selectMembers({}),
    instanceOf,
    ownerOf,
    join: (host, instance) => rows.write([{ sql: JOIN, values: { host, instance } }]),
    leave: (host, instance) => rows.write([{ sql: LEAVE, values: { host, instance } }]),
    own: async (homes, host) => {
      const done = await rows.write(homes.map((home) => ({ sql: TAKE, values: { home, host } })));
      if (done.kind === "failed") return done;
      const by = homes.flatMap((home) => ownerOf(home) ?? []);
      if (instanceOf(host) === null || by.length < homes.length) return conflict(`${host} is no member`);
      return { kind: "owned", by };
    },
    give: async (home, from, to) => {
      const refused = conflict(`${from} cannot give ${home} to ${to}`);
      if (ownerOf(home) !== from) return refused;
      const done = await rows.write([{ sql: GIVE, values: { home, from, to } }]);
      return done.kind === "failed" || ownerOf(home) === to ? done : refused;
    },
  };
};

const JOIN = `
  INSERT INTO members (name, instance, joined) SELECT @host, @instance, coalesce(max(joined), 0) + 1 FROM members
  WHERE true ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, joined = excluded.joined`;
const LEAVE = "DELETE FROM members WHERE name = @host AND instance = @instance";
/** Takes only a conversation that no member has. */
const TAKE = `
  INSERT INTO homes (home, host) SELECT @home, name FROM members WHERE name = @host
  ON CONFLICT (home) DO UPDATE SET host = excluded.host WHERE homes.host NOT IN (SELECT name FROM members)`;
const GIVE = `
  UPDATE homes SET host = @to WHERE home = @home AND host = @from
    AND host IN (SELECT name FROM members) AND @to IN (SELECT name FROM members)`;

const conflict = (message: string): WriteFailure => ({ kind: "failed", code: "conflict", message });
