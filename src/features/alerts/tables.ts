import type { Tables } from "../../ports/tables.ts";

const alerts: Tables = {
  tables: {
    alerts: {
      kept: {
        "facts by id and number; the row goes once the end of the alert is told": [
          "key",
          "facts",
          "began",
          "ended",
          "told",
          "host",
        ],
      },
    },
  },
  erase: {
    person: { kind: "kept", why: "no words" },
    conversation: { kind: "kept", why: "ids until the end of the alert is told" },
  },
};

export const tables: readonly Tables[] = [alerts];
