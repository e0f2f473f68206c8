/** Stored alerts, until their end is reported. */

import * as z from "zod";
import type { Log } from "../../ports/host.ts";
import type { Rows } from "../../ports/rows.ts";
import { createRead, encode, json } from "../../store/base/codec.ts";
import { conversationId, kind } from "../../store/schema/id.ts";
import { askKind } from "../../store/schema/words.ts";
import { type AlertRows, nameOfAlert } from "./ports.ts";

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

export const createAlertRows = (rows: Rows, log: Log): AlertRows => {
  const read = createRead(log);
  const all = rows.select("SELECT key, host, facts, began, ended, told FROM alerts ORDER BY began, key");
  const held = rows.select(`
    SELECT count(*) AS held FROM conversations
    WHERE user_initiated = 1 AND archived = 0 AND state ->> '$.confinement' = 'enforced'`);

  return {
    alerts: () =>
      read
        .all(alertRow, all({}), { table: "alerts" })
        .map((row) => ({ ...row, key: row.key.slice(nameOfAlert({ ...row, key: "" }).length) })),
    putAlert: ({ facts: about, ...row }) =>
      rows.write([{ sql: PUT, values: { ...row, facts: encode(about), key: nameOfAlert(row) } }]),
    dropAlert: (row) => rows.write([{ sql: DROP, values: { key: nameOfAlert(row) } }]),
    held: () => counted.parse(held({}).at(0)).held,
  };
};

const counted = z.object({ held: z.number() });

const PUT = `
  INSERT INTO alerts (key, host, facts, began, ended, told) VALUES (@key, @host, @facts, @began, @ended, @told)
  ON CONFLICT (key) DO UPDATE SET host = excluded.host, facts = excluded.facts, began = excluded.began,
    ended = excluded.ended, told = excluded.told`;
const DROP = "DELETE FROM alerts WHERE key = @key";
