import * as z from "zod";
import type { Log } from "../../ports/host.ts";
import type { Rows } from "../../ports/rows.ts";
import { createRead, encode, json } from "../../store/base/codec.ts";
import { conversationIdSchema, kindSchema } from "../../store/schema/id.ts";
import { askKindSchema } from "../../store/schema/vocabulary.ts";
import { type AlertRows, nameOfAlert } from "./ports.ts";

const facts = z.discriminatedUnion("kind", [
  kindSchema("sandbox", { from: z.string(), to: z.string(), frozen: z.number() }),
  kindSchema("stronger", { from: z.string(), to: z.string() }),
  kindSchema("surface", { surface: z.string(), why: z.string() }),
  kindSchema("disk", { free: z.number() }),
  kindSchema("writes", { code: z.enum(["disk_full", "read_only", "io", "conflict", "closing"]) }),
  kindSchema("budget", { share: z.union([z.literal(80), z.literal(100)]), most: z.number() }),
  kindSchema("question", {
    wire: z.string(),
    conversation: conversationIdSchema,
    surface: z.string(),
    type: askKindSchema,
    askedAt: z.number(),
  }),
  kindSchema("forge", { forge: z.string() }),
  kindSchema("fault", { surface: z.string(), conversation: conversationIdSchema }),
  kindSchema("watch", { watch: z.string(), bound: z.enum(["hour", "money"]) }),
  kindSchema("postsLeft", {
    watch: z.string(),
    bound: z.enum(["posts", "threads", "looks", "money", "author"]),
    count: z.number(),
  }),
  kindSchema("watchJoined", { watch: z.string(), surface: z.string(), place: z.string() }),
  kindSchema("watchOff", { watch: z.string(), why: z.string() }),
  kindSchema("review", { surface: z.string(), place: z.string(), why: z.string() }),
  kindSchema("missed", { surface: z.string(), channels: z.number(), threads: z.number() }),
  kindSchema("model", { why: z.enum(["auth", "billing", "not_found"]) }),
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
