import type { Tables } from "../../ports/tables.ts";

const SURFACE = "watch";
const SPEAKS = "watch:";

const watches: Tables = {
  tables: {
    watches: {
      person: ["source", "instructions"],
      kept: {
        "choices of a channel, and who made them": [
          "id",
          "surface",
          "place",
          "mode",
          "per_hour",
          "standing",
          "failures",
          "set_by",
          "at",
        ],
      },
    },
  },
  heard: ["watches"],
  erase: {
    person: {
      kind: "person",
      // A schedule consists of its text, so the watch is deleted. Every other watch continues without instructions and triages.
      sql: [
        "DELETE FROM watches WHERE set_by = @person AND source ->> '$.kind' = 'schedule'",
        "UPDATE watches SET instructions = NULL WHERE set_by = @person",
      ],
      told: `
        SELECT '${SPEAKS}' || id AS speaker, coalesce(instructions, source ->> '$.text', '') AS text FROM watches
        WHERE set_by = ? AND (instructions IS NOT NULL OR source ->> '$.kind' = 'schedule')`,
    },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};

const threads: Tables = {
  tables: {
    watch_threads: {
      both: ["event"],
      conversation: [
        "conversation",
        "watch",
        "fingerprint",
        "place",
        "message",
        "count",
        "told",
        "began",
        "last",
      ],
    },
  },
  moves: [
    `UPDATE watch_threads SET place = @to
      WHERE place = @from AND watch IN (SELECT id FROM watches WHERE surface = @surface)`,
  ],
  erase: {
    person: {
      kind: "step",
      // The event is erased with the message that quotes it.
      sql: [
        `UPDATE watch_threads SET event = json_set(event, '$.title', '', '$.text', '', '$.link', NULL)
          WHERE conversation = @conversation AND EXISTS (
            SELECT 1 FROM claims WHERE claims.conversation = @conversation AND claims.surface = '${SURFACE}'
              AND claims.message IN (SELECT value FROM json_each(@ids)))`,
      ],
    },
    conversation: { kind: "hidden", sql: ["DELETE FROM watch_threads WHERE conversation = ?"] },
  },
};

export const tables: readonly Tables[] = [watches, threads];
