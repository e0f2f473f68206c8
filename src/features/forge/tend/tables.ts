import type { Tables } from "../../../ports/tables.ts";

const pulls: Tables = {
  tables: {
    tended_pulls: {
      both: ["person", "person_name", "account"],
      conversation: [
        "id",
        "conversation",
        "surface",
        "place",
        "name",
        "number",
        "branch",
        "began",
        "ends",
        "pushes",
        "budget",
        "head",
        "expected",
        "seen",
        "turn",
        "tries",
        "phase",
        "cause",
        "trouble",
        "ended",
        "told",
      ],
    },
  },
  heard: ["tended_pulls"],
  erase: {
    person: {
      kind: "person",
      // A click without its person binds nothing.
      sql: ["DELETE FROM tended_pulls WHERE person = @person"],
    },
    conversation: { kind: "hidden", sql: ["DELETE FROM tended_pulls WHERE conversation = ?"] },
  },
};

const pushes: Tables = {
  tables: {
    tended_pushes: {
      conversation: ["tended", "no", "conversation", "fingerprint", "commit_id", "standing", "told"],
    },
  },
  erase: {
    person: { kind: "kept", why: "ids of commits, without a person" },
    conversation: { kind: "hidden", sql: ["DELETE FROM tended_pushes WHERE conversation = ?"] },
  },
};

export const tendTables: readonly Tables[] = [pulls, pushes];
