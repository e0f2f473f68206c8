/** Tables of features. They are declared here because the thread that writes loads no feature. */

import type { Database } from "better-sqlite3";
import type { Tables } from "../../ports/tables.ts";

export const digestRows: Tables<Database> = {
  owner: "digest",
  tables: {
    digests: {
      kept: {
        "choices of a channel, and who made them": ["surface", "place", "server", "told", "set_by", "at"],
      },
    },
  },
  erase: {
    person: { kind: "kept", why: "choices and ids, no words" },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};
