import type { Tables } from "../../ports/tables.ts";

const digests: Tables = {
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

export const tables: readonly Tables[] = [digests];
