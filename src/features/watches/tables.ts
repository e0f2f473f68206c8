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
        "ended",
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

const looks: Tables = {
  tables: {
    first_looks: {
      person: ["author", "reason"],
      conversation: ["conversation"],
      kept: {
        "what was decided about a post, without its words": [
          "watch",
          "surface",
          "place",
          "post",
          "at",
          "decision",
          "link",
          "cost",
        ],
      },
    },
  },
  erase: {
    person: {
      kind: "person",
      sql: [
        "DELETE FROM first_looks WHERE author = @person",
        `UPDATE watch_threads SET event = json_remove(json_set(event, '$.title', '', '$.text', '', '$.link', NULL), '$.person')
          WHERE event ->> '$.person.author' = @person`,
      ],
      // The thread of a look quotes a post that the watch said in the author's place.
      told: `
        SELECT '${SPEAKS}' || watch AS speaker, event ->> '$.text' AS text, conversation AS whole FROM watch_threads
        WHERE event ->> '$.person.author' = ?`,
    },
    conversation: {
      kind: "hidden",
      sql: ["UPDATE first_looks SET conversation = NULL WHERE conversation = ?"],
    },
  },
};

const corrections: Tables = {
  tables: {
    look_corrections: {
      person: ["text", "author", "set_by"],
      kept: {
        "which decision was corrected": [
          "id",
          "watch",
          "surface",
          "place",
          "post",
          "decided",
          "correct",
          "at",
        ],
      },
    },
  },
  heard: ["look_corrections"],
  erase: {
    person: {
      kind: "person",
      sql: ["DELETE FROM look_corrections WHERE author = @person OR set_by = @person"],
    },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};

const optOuts: Tables = {
  tables: {
    ignored_people: {
      person: ["ended"],
      kept: { "an opt-out outlives an erasure, unless it ended": ["surface", "person", "at"] },
    },
  },
  erase: {
    person: {
      kind: "person",
      sql: ["DELETE FROM ignored_people WHERE person = @person AND ended IS NOT NULL"],
    },
    conversation: { kind: "kept", why: "the rows belong to people" },
  },
};

const places: Tables = {
  tables: {
    watch_places: { kept: { "channels of a watch": ["watch", "surface", "place", "at"] } },
  },
  heard: ["watch_places"],
  erase: {
    person: { kind: "kept", why: "no words" },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};

export const tables: readonly Tables[] = [watches, threads, looks, corrections, optOuts, places];
