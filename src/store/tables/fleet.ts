/** Which hosts write, and what is whose. What a host leaves stays named after it until another one takes it. */

import type { Database } from "better-sqlite3";
import type { Home, MemberRows } from "../../ports/fleet/fleet.ts";
import { createPluck } from "../pluck.ts";
import type { Direct } from "../write/direct.ts";
import { DONE, doing, failed, writing } from "../write/write.ts";

export const createFleetRows = (db: Database): Direct<MemberRows> => {
  const pluck = createPluck(db);
  const selectMembers = pluck<[], string>("SELECT name FROM members ORDER BY joined, name");
  const selectMember = pluck<[string], string>("SELECT instance FROM members WHERE name = ?");
  const selectOwner = pluck<[Home], string>(
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
    members: () => selectMembers.all(),
    instanceOf: (host) => selectMember.get(host) ?? null,
    ownerOf: (home) => selectOwner.get(home) ?? null,
    join: doing((host, instance) => insert.run(host, instance)),
    leave: doing((host, instance) => remove.run(host, instance)),
    own: writing((homes, host) => {
      if (selectMember.get(host) === undefined) return failed(`${host} is no member`);
      const by = homes.map((home) => {
        const owner = selectOwner.get(home);
        if (owner === undefined) take.run(home, host);
        return owner ?? host;
      });
      return { kind: "owned", by } as const;
    }),
    give: writing((home, from, to) => {
      if (selectOwner.get(home) !== from || selectMember.get(to) === undefined)
        return failed(`${from} cannot give ${home} to ${to}`);
      take.run(home, to);
      return DONE;
    }),
  };
};
