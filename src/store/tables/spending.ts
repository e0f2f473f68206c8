/** Money spent on models, by day and payer, and the budgets that people set. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId } from "../../machine/id.ts";
import {
  type Account,
  type Day,
  grantOf,
  type MicroUsd,
  type Scope,
  type SpendingStore,
} from "../../ports/money.ts";
import { flag, json, type Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { personIdSchema } from "../schema/id.ts";
import { speakerSchema } from "../schema/vocabulary.ts";
import { createTable } from "../base/table.ts";
import { type DirectPort, doing, writeFailed, writing } from "../base/write.ts";

const account = z
  .object({
    surface: z.string(),
    place: z.string().nullable(),
    server: z.string().nullable(),
    isSubagent: flag,
    speaker: json(speakerSchema.nullable()),
    context: z.number(),
    written: z.number(),
    no: z.number(),
    isOpen: flag,
    confirmed: flag,
    spent: z.number(),
    isSummary: flag,
  })
  .transform(
    ({ no, isOpen, confirmed, spent, isSummary, ...row }): Account => ({
      ...row,
      turn: { no, isOpen, confirmed, spent, isSummary },
    }),
  );

const isScope = (text: string): text is Scope => text === "day" || /^(person|channel|server):/.test(text);
const scope = z.string().refine(isScope);

const spentRow = z.object({ scope, amount: z.number() });
const budgetRow = z.object({ scope, most: z.number().nullable(), by: personIdSchema, at: z.number() });

export const createSpending = (db: Database, read: Read): DirectPort<SpendingStore> => {
  const pluck = createColumnReader(db);
  /* A sub-agent has no thread: its spending belongs to the thread of the top conversation. */
  const selectAccount = db.prepare<[{ readonly id: ConversationId }]>(`
    WITH RECURSIVE family (id, parent) AS (
      SELECT id, parent FROM conversations WHERE id = @id
      UNION ALL SELECT above.id, above.parent FROM conversations AS above JOIN family ON above.id = family.parent
    )
    SELECT top.surface, threads.place,
      coalesce(threads.server, (SELECT server FROM threads AS other WHERE other.surface = threads.surface
        AND other.place = threads.place AND other.server IS NOT NULL LIMIT 1)) AS server,
      asks.state ->> '$.kind' = 'subagent' AS isSubagent,
      top.state -> '$.turn.speaker' AS speaker,
      asks.state ->> '$.context.used' AS context,
      asks.state ->> '$.turn.no' AS no,
      asks.state ->> '$.turn.usage.output' > 0 AS isOpen,
      coalesce(asks.state ->> '$.turn.confirmed', 0) AS confirmed,
      asks.state ->> '$.turn.usage.costMicroUsd' AS spent,
      asks.phase = 'summarizing' AS isSummary,
      asks.state ->> '$.usage.output' AS written
    FROM conversations AS asks
      JOIN family ON family.parent IS NULL
      JOIN conversations AS top ON top.id = family.id
      LEFT JOIN threads ON threads.conversation = top.id
    WHERE asks.id = @id`);
  const selectSpent = pluck.one<[string, Scope], MicroUsd>(
    "SELECT coalesce(sum(micro_usd), 0) FROM spent WHERE day IN (SELECT value FROM json_each(?)) AND scope = ?",
  );
  const selectAll = db.prepare<[string]>(`
    SELECT scope, sum(micro_usd) AS amount FROM spent WHERE day IN (SELECT value FROM json_each(?))
    GROUP BY scope ORDER BY amount DESC, scope`);
  const add = db.prepare(`
    INSERT INTO spent (day, scope, host, micro_usd) VALUES (?, ?, ?, ?)
    ON CONFLICT (day, scope, host) DO UPDATE SET micro_usd = micro_usd + excluded.micro_usd`);
  const addFrom = db.prepare(`
    INSERT INTO spent (day, scope, host, micro_usd)
    SELECT @to, scope, '', sum(micro_usd) FROM spent
    WHERE day IN (SELECT value FROM json_each(@from)) AND day <> @to GROUP BY scope
    ON CONFLICT (day, scope, host) DO UPDATE SET micro_usd = micro_usd + excluded.micro_usd`);
  const remove = db.prepare(
    "DELETE FROM spent WHERE day IN (SELECT value FROM json_each(@from)) AND day <> @to",
  );
  const table = createTable(db, read);
  const budgets = table("budgets", ["scope"], budgetRow, { most: "micro_usd", by: "set_by" });
  const budget = budgets.one();
  const notes = table("notes", ["name"], z.object({ value: z.string() }));
  const note = notes.one();
  const today = (): Day | null => note("day")?.value ?? null;
  const setNote = notes.put();
  const selectInstance = pluck.one<[string], string>("SELECT instance FROM members WHERE name = ?");
  const selectReserved = pluck.one<[Scope], MicroUsd>(`
    SELECT coalesce(sum(micro_usd), 0) FROM reserved JOIN members USING (instance)
      WHERE EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = ?)`);
  const hold = db.prepare("INSERT INTO reserved (instance, scopes, micro_usd) VALUES (?, ?, ?)");
  const free = db.prepare("DELETE FROM reserved WHERE id = ?");
  const freeLeft = db.prepare("DELETE FROM reserved WHERE instance NOT IN (SELECT instance FROM members)");

  const spend = (day: Day, scopes: readonly Scope[], amount: MicroUsd, host = ""): void => {
    for (const one of scopes) add.run(day, one, host, amount);
  };

  const spentOn = (days: readonly Day[], one: Scope): MicroUsd => selectSpent(JSON.stringify(days), one) ?? 0;

  return {
    account: (conversation) =>
      read(account, selectAccount.get({ id: conversation }), { table: "conversations", id: conversation }),
    spent: spentOn,
    all: (days) => read.all(spentRow, selectAll.all(JSON.stringify(days)), { table: "spent" }),
    spend: doing((day, scopes, amount) => spend(day, scopes, amount)),
    newest: pluck.one("SELECT day FROM spent ORDER BY day DESC LIMIT 1"),
    carry: doing((from, to) => {
      const days = { from: JSON.stringify(from), to };
      addFrom.run(days);
      remove.run(days);
      setNote("day", { value: to });
    }),
    today,
    reserve: writing(({ host, day, payers, least, most }) => {
      const instance = selectInstance(host);
      if (instance === null) return writeFailed(`${host} is no member`);
      freeLeft.run();
      const on = today() ?? day;
      const bounded = payers.flatMap(({ scope: one, usual }) => {
        const set = budget(one);
        const bound = set === null ? usual : set.most;
        return bound === null
          ? []
          : [{ scope: one, left: bound - spentOn([on], one) - (selectReserved(one) ?? 0) }];
      });
      const granted = grantOf(bounded, least, most);
      if (granted.kind === "short") return granted;
      if (bounded.length === 0) return { ...granted, held: null };
      const scopes = JSON.stringify(payers.map((payer) => payer.scope));
      const { lastInsertRowid } = hold.run(instance, scopes, granted.amount);
      return { ...granted, held: Number(lastInsertRowid) };
    }),
    settle: doing((host, held, day, scopes, cost) => {
      free.run(held);
      if (cost !== 0) spend(today() ?? day, scopes, cost, host);
    }),
    budget,
    budgets: budgets.all("ORDER BY scope"),
    setBudget: doing(budgets.put()),
  };
};
