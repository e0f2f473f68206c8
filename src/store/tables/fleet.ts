/** Which hosts write, and what is whose. What a host leaves stays named after it until another one takes it. */

import type { Database } from "better-sqlite3";
import type { Home, FleetRows } from "../../ports/cluster/fleet.ts";
import type { Tables } from "../../ports/tables.ts";
import { createPluck } from "../pluck.ts";
import type { Direct } from "../write/direct.ts";
import { DONE } from "../../ports/host.ts";
import { doing, failed, writing } from "../write/write.ts";

export const fleetRows: Tables<Database> = {
  owner: "cluster",
  heard: ["homes", "members"],
  tables: {
    members: { kept: { "hosts and their starts": ["name", "instance", "joined"] } },
    homes: { conversation: ["home", "host"] },
  },
  erase: {
    person: { kind: "kept", why: "hosts and conversations alone" },
    conversation: { kind: "hidden", sql: ["DELETE FROM homes WHERE home = ?"] },
  },
};

export const createFleetRows = (db: Database): Direct<FleetRows> => {
  const pluck = createPluck(db);
  const instanceOf = pluck.one<[string], string>("SELECT instance FROM members WHERE name = ?");
  const ownerOf = pluck.one<[Home], string>(
    "SELECT host FROM homes JOIN members ON members.name = host WHERE home = ?",
  );
  const insert = db.prepare(`
    INSERT INTO members (name, instance, joined) SELECT ?, ?, coalesce(max(joined), 0) + 1 FROM members
    WHERE true ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, joined = excluded.joined`);
  const remove = db.prepare("DELETE FROM members WHERE name = ? AND instance = ?");
  const take = db.prepare(
    "INSERT INTO homes (home, host) VALUES (?, ?) ON CONFLICT (home) DO UPDATE SET host = excluded.host",
  );

  return {
    members: pluck.all("SELECT name FROM members ORDER BY joined, name"),
    instanceOf,
    ownerOf,
    join: doing((host, instance) => insert.run(host, instance)),
    leave: doing((host, instance) => remove.run(host, instance)),
    own: writing((homes, host) => {
      if (instanceOf(host) === null) return failed(`${host} is no member`);
      const by = homes.map((home) => {
        const owner = ownerOf(home);
        if (owner === null) take.run(home, host);
        return owner ?? host;
      });
      return { kind: "owned", by } as const;
    }),
    give: writing((home, from, to) => {
      if (ownerOf(home) !== from || instanceOf(to) === null)
        return failed(`${from} cannot give ${home} to ${to}`);
      take.run(home, to);
      return DONE;
    }),
  };
};
