/** Alerts until they are told to be over, and what the host remembers of itself from one start to the next. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import { type AlertRow, type AlertRows, nameOfAlert } from "../../ports/alerts.ts";
import { encode, json, type Read } from "../codec.ts";
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
  kind("model", { why: z.enum(["auth", "billing", "not_found"]) }),
]);

const alertRow = z
  .object({
    key: z.string(),
    host: z.string().nullable(),
    facts: json(facts),
    began: z.number(),
    ended: z.number().nullable(),
    told: z.enum(["nothing", "began"]),
  })
  .transform((row): AlertRow => ({ ...row, key: row.key.slice(nameOfAlert({ ...row, key: "" }).length) }));

export const createAlertRows = (db: Database, read: Read): Direct<AlertRows> => {
  const select = db.prepare<[], { readonly key: string }>(
    "SELECT key, host, facts, began, ended, told FROM alerts ORDER BY began, key",
  );
  const put = db.prepare(`
    INSERT INTO alerts (key, host, facts, began, ended, told) VALUES (@key, @host, @facts, @began, @ended, @told)
    ON CONFLICT (key) DO UPDATE SET
      facts = excluded.facts, began = excluded.began, ended = excluded.ended, told = excluded.told`);
  const drop = db.prepare("DELETE FROM alerts WHERE key = ?");
  const selectNote = db.prepare<[string], { readonly value: string }>(
    "SELECT value FROM notes WHERE name = ?",
  );
  const setNote = db.prepare(
    "INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  const selectHeld = db.prepare<[], { readonly n: number }>(`
    SELECT count(*) AS n FROM conversations
    WHERE user_initiated = 1 AND archived = 0 AND state ->> '$.confinement' = 'enforced'`);

  return {
    alerts: () => select.all().flatMap((row) => read(alertRow, row, { table: "alerts", key: row.key }) ?? []),
    putAlert: doing((row) => put.run({ ...row, key: nameOfAlert(row), facts: encode(row.facts) })),
    dropAlert: doing((row) => drop.run(nameOfAlert(row))),
    note: (name) => selectNote.get(name)?.value ?? null,
    setNote: doing((name, value) => setNote.run(name, value)),
    held: () => selectHeld.get()?.n ?? 0,
  };
};
