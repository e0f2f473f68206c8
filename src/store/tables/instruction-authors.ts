/** Instructions of channels by who wrote them, for whoever is forgotten. */

import type { Database } from "better-sqlite3";
import type { PersonId } from "../../machine/id.ts";
import type { Instructed } from "../../ports/erasure.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Direct } from "../write/direct.ts";
import { doing } from "../write/write.ts";

export const createInstructed = (db: Database): Direct<Instructed<WriteFailure>> => {
  const count = db.prepare<[PersonId], number>("SELECT count(*) FROM instructions WHERE set_by = ?").pluck();
  const remove = db.prepare("DELETE FROM instructions WHERE set_by = ?");
  return {
    instructed: (person) => count.get(person) ?? 0,
    uninstruct: doing((person) => remove.run(person)),
  };
};
