import type { Tables } from "../../ports/tables.ts";

const NO_CONVERSATION = "an account belongs to a person, not to a conversation";

const accounts: Tables = {
  tables: {
    forge_people: {
      person: ["person", "login", "name", "email", "sealed"],
      kept: {
        "state of a row that is deleted with its person": [
          "forge",
          "ends",
          "version",
          "lease",
          "leased",
          "at",
        ],
      },
    },
    forge_sign_ins: {
      person: ["person", "sealed"],
      kept: {
        "state of a row that is deleted with its person": [
          "forge",
          "surface",
          "place",
          "version",
          "pause",
          "ends",
        ],
      },
    },
  },
  erase: {
    person: {
      kind: "person",
      sql: [
        "DELETE FROM forge_people WHERE person = @person",
        "DELETE FROM forge_sign_ins WHERE person = @person",
      ],
    },
    conversation: { kind: "kept", why: NO_CONVERSATION },
  },
};

export const tables: readonly Tables[] = [accounts];
