import type { Tables } from "../../ports/tables.ts";

const search: Tables = {
  tables: {
    search: { both: ["text"] },
    searched: { both: ["n", "conversation", "message"] },
    unsearched: { both: ["n", "conversation", "message"] },
    search_reached: { kept: { "how far the index is": ["only", "message"] } },
  },
  erase: {
    person: {
      kind: "trigger",
      triggers: ["messages_rewritten", "conversations_retitled", "searched_deleted"],
    },
    conversation: { kind: "trigger", triggers: ["searched_deleted"] },
  },
};

export const tables: readonly Tables[] = [search];
