/** Tables of features. They are declared here because the thread that writes loads no feature. */

import type { Database } from "better-sqlite3";
import type { Tables } from "../../ports/tables.ts";
import { encode } from "../base/codec.ts";

export const alertRows: Tables<Database> = {
  owner: "alerts",
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

export const clusterRows: Tables<Database> = {
  owner: "cluster",
  heard: ["homes", "members"],
  tables: {
    members: { kept: { "hosts and their starts": ["name", "instance", "joined"] } },
    homes: { conversation: ["home", "host"] },
  },
  erase: {
    person: { kind: "kept", why: "hosts and conversations alone" },
    conversation: { kind: "hidden", sql: ["DELETE FROM homes WHERE home = ?"] },
  },
};

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

export const searchRows: Tables<Database> = {
  owner: "console",
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

/** The surface of the claims that a watch makes. */
const SURFACE = "watch";
/** A watch speaks as this and its id. */
const SPEAKS = "watch:";

export const watchRows: Tables<Database> = {
  owner: "watches",
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
      erase: (db) => {
        // A schedule is its words; every other watch goes on without instructions and triages.
        const drop = db.prepare("DELETE FROM watches WHERE set_by = ? AND source ->> '$.kind' = 'schedule'");
        const uninstruct = db.prepare("UPDATE watches SET instructions = NULL WHERE set_by = ?");
        return (person) => {
          drop.run(person);
          uninstruct.run(person);
        };
      },
      told: `
        SELECT '${SPEAKS}' || id AS speaker, coalesce(instructions, source ->> '$.text', '') AS text FROM watches
        WHERE set_by = ? AND (instructions IS NOT NULL OR source ->> '$.kind' = 'schedule')`,
    },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};

export const watchThreadRows: Tables<Database> = {
  owner: "watches",
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
      /* The event goes with the message that quotes it. */
      erase: (db) => {
        const blank = db.prepare(`
          UPDATE watch_threads SET event = json_set(event, '$.title', '', '$.text', '', '$.link', NULL)
          WHERE conversation = @conversation AND EXISTS (
            SELECT 1 FROM claims WHERE claims.conversation = @conversation AND claims.surface = '${SURFACE}'
              AND claims.message IN (SELECT value FROM json_each(@ids)))`);
        return (conversation, { words }) =>
          void blank.run({ conversation, ids: encode(words.map(({ id }) => id)) });
      },
    },
    conversation: { kind: "hidden", sql: ["DELETE FROM watch_threads WHERE conversation = ?"] },
  },
};

/** Statements that move rows of features with their channel. */
export const MOVES: readonly string[] = [digestRows, watchRows, watchThreadRows].flatMap(
  ({ moves }) => moves ?? [],
);
