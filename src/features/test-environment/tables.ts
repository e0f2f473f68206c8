import type { Tables } from "../../ports/tables.ts";

const testSecrets: Tables = {
  tables: {
    test_secrets: {
      person: ["set_by"],
      kept: {
        "sealed values of a repository, not of its channels; an approver removes them": [
          "repo",
          "name",
          "sealed",
          "at",
        ],
      },
    },
    test_declarations: {
      kept: { "names in a file of a repository": ["repo", "secrets", "services"] },
    },
  },
  heard: ["test_secrets"],
  erase: {
    person: { kind: "person", sql: ["UPDATE test_secrets SET set_by = NULL WHERE set_by = @person"] },
    conversation: { kind: "kept", why: "the rows belong to a repository" },
  },
};

export const tables: readonly Tables[] = [testSecrets];
