/** Alerts until they are told to be over, and what the host remembers of itself from one start to the next. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import { type AlertRows, nameOfAlert } from "../../ports/alerts.ts";
import type { Tables } from "../../ports/tables.ts";
import { json, type Read } from "../codec.ts";
import { createPluck } from "../pluck.ts";
import { createTable } from "../table.ts";
import type { Direct } from "../write/direct.ts";
import { conversationId, kind } from "../schema/id.ts";
import { askKind } from "../schema/words.ts";
import { doing } from "../write/write.ts";

const facts = z.discriminatedUnion("kind", [
  kind("sandbox", { from: z.string(), to: z.string(), frozen: z.number() }),
  kind("stronger", { from: z.string(), to: z.string() }),
  kind("surface", { surface: z.string(), why: z.string() }),
  kind("disk", { free: z.number() }),
  kind("writes", { code: z.enum(["disk_full", "read_only", "io", "conflict", "closing"]) }),
  kind("budget", { share: z.union([z.literal(80), z.literal(100)]), most: z.number() }),
  kind("question", {
    wire: z.string(),
    conversation: conversationId,
    surface: z.string(),
    type: askKind,
    askedAt: z.number(),
  }),
  kind("forge", { forge: z.string() }),
  kind("fault", { surface: z.string(), conversation: conversationId }),
  kind("watch", { watch: z.string(), bound: z.enum(["hour", "money"]) }),
  kind("watchOff", { watch: z.string(), why: z.string() }),
  kind("review", { surface: z.string(), place: z.string(), why: z.string() }),
  kind("missed", { surface: z.string(), channels: z.number(), threads: z.number() }),
  kind("model", { why: z.enum(["auth", "billing", "not_found"]) }),
]);

const alertRow = z.object({
  key: z.string(),
  host: z.string().nullable(),
  facts: json(facts),
  began: z.number(),
  ended: z.number().nullable(),
  told: z.enum(["nothing", "began"]),
});

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
    notes: { kept: { "state of the host from one start to the next": ["name", "value"] } },
  },
  erase: {
    person: { kind: "kept", why: "no words" },
    conversation: { kind: "kept", why: "ids until the end of the alert is told" },
  },
};

export const createAlertRows = (db: Database, read: Read): Direct<AlertRows> => {
  const table = createTable(db, read);
  const alerts = table("alerts", ["key"], alertRow);
  const all = alerts.all("ORDER BY began, key");
  const put = alerts.put();
  const drop = alerts.drop();
  const notes = table("notes", ["name"], z.object({ value: z.string() }));
  const note = notes.one();
  const setNote = notes.put();
  const held = createPluck(db).one<[], number>(`
    SELECT count(*) FROM conversations
    WHERE user_initiated = 1 AND archived = 0 AND state ->> '$.confinement' = 'enforced'`);

  return {
    alerts: () =>
      all().map((row) => ({ ...row, key: row.key.slice(nameOfAlert({ ...row, key: "" }).length) })),
    putAlert: doing((row) => put({ ...row, key: nameOfAlert(row) })),
    dropAlert: doing((row) => drop(nameOfAlert(row))),
    note: (name) => note(name)?.value ?? null,
    setNote: doing((name, value) => setNote(name, { value })),
    held: () => held() ?? 0,
  };
};
