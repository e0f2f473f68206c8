/** Conversations are hidden in one step, then removed in pieces, so that no other write waits for long. */

import type { Database } from "better-sqlite3";
import type { ConversationId, Millis, PersonId } from "../../machine/id.ts";
import type { RemovalStore } from "../../ports/store.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { DONE } from "../../ports/host.ts";
import { type DirectPort, doing, writeFailed, writing } from "../base/write.ts";
import type { ErasableTexts, ErasableRows, ErasureAudience } from "../../ports/erasure.ts";
import type { Tables } from "../../ports/tables.ts";

const PIECE = 200;
/** Files that one write checks. */
const LOOKED_UP = 16;
const HASH = /"hash":"([0-9a-f]{64})"/g;

export const createRemoval = (
  db: Database,
  tables: readonly Tables[],
): DirectPort<RemovalStore & Pick<ErasableTexts, "refersTo">> => {
  const pluck = createColumnReader(db);
  const shelve = db.prepare("UPDATE conversations SET archived = ? WHERE id = ? AND removed = 0");
  const selectFamily = pluck.all<[ConversationId], ConversationId>(`
    WITH RECURSIVE family (id) AS (
      SELECT id FROM conversations WHERE id = ? AND removed = 0
      UNION ALL SELECT below.id FROM conversations AS below JOIN family ON below.parent = family.id
    ) SELECT id FROM family`);
  const conceal = db.prepare(`
    UPDATE conversations SET removed = 1, user_initiated = 0, title = '""', phase = 'ended' WHERE id = ?`);
  const ofHidden = tables.flatMap(({ erase: { conversation: one } }) =>
    one.kind === "hidden" ? one.sql.map((sql) => db.prepare(sql)) : [],
  );
  /** Sub-agents have longer ids than their parents and are removed first. */
  const selectHidden = pluck.one<[], ConversationId>(
    "SELECT id FROM conversations WHERE removed = 1 ORDER BY length(id) DESC, id LIMIT 1",
  );
  const files = tables
    .flatMap((rows) => Object.entries(rows.files ?? {}))
    .map(([table, column]) => {
      const named = `instr(${column}, '"hash":"') > 0`;
      return {
        of: pluck.all<[ConversationId], string>(
          `SELECT ${column} FROM ${table} WHERE conversation = ? AND ${named}`,
        ),
        naming: db.prepare(`SELECT 1 FROM ${table} WHERE ${named} AND instr(${column}, ?) > 0 LIMIT 1`),
      };
    });
  const refersTo = (hash: string): boolean => files.some(({ naming }) => naming.get(hash) !== undefined);
  const loosen = db.prepare("INSERT INTO loose_blobs (hash) VALUES (?) ON CONFLICT DO NOTHING");
  const selectLoose = pluck.all<[number], string>("SELECT hash FROM loose_blobs LIMIT ?");
  const drop = db.prepare("DELETE FROM loose_blobs WHERE hash = ?");
  const pieces = tables.flatMap(({ erase: { conversation: one } }) =>
    one.kind === "pieces" ? one.sql.map((sql) => db.prepare(sql)) : [],
  );
  const last = tables.flatMap(({ erase: { conversation: one } }) =>
    one.kind === "last" ? [db.prepare(one.sql)] : [],
  );
  const selectUntouched = pluck.all<[{ readonly before: Millis }], ConversationId>(`
    SELECT id FROM (
      SELECT id, updated_at FROM conversations WHERE user_initiated = 1 AND archived = 0 AND updated_at < @before
      UNION ALL
      SELECT id, updated_at FROM conversations WHERE user_initiated = 1 AND archived = 1 AND updated_at < @before
    ) ORDER BY updated_at, id`);

  return {
    refersTo,
    setArchived: writing((id, archived) =>
      shelve.run(archived ? 1 : 0, id).changes === 1 ? DONE : writeFailed(`there is no conversation ${id}`),
    ),
    hide: writing((id) => {
      const family = selectFamily(id);
      if (family.length === 0) return writeFailed(`there is no conversation ${id}`);
      for (const one of family) {
        for (const text of files.flatMap(({ of }) => of(one)))
          for (const [, hash] of text.matchAll(HASH)) loosen.run(hash);
        for (const statement of ofHidden) statement.run(one);
        conceal.run(one);
      }
      return DONE;
    }),
    /** The plus keeps SQLite from scanning all conversations without a parent. */
    hidden: pluck.all("SELECT id FROM conversations WHERE removed = 1 AND +parent IS NULL"),
    removeSome: writing(() => {
      const id = selectHidden();
      if (id === null) return { kind: "removed", more: false } as const;
      if (pieces.some((one) => one.run({ id, limit: PIECE }).changes > 0))
        return { kind: "removed", more: true } as const;
      for (const statement of last) statement.run(id);
      return { kind: "removed", more: selectHidden() !== null } as const;
    }),
    looseBlobs: writing(() => {
      // Rows that are not removed yet still name files.
      if (selectHidden() !== null) return { kind: "loose", hashes: [] } as const;
      const loose = selectLoose(LOOKED_UP);
      const named = loose.filter(refersTo);
      for (const hash of named) drop.run(hash);
      return { kind: "loose", hashes: loose.filter((hash) => !named.includes(hash)) } as const;
    }),
    dropBlobs: doing((hashes) => {
      for (const hash of hashes) drop.run(hash);
    }),
    untouched: (before) => selectUntouched({ before }),
  };
};

export const createRelatedRows = (db: Database, tables: readonly Tables[]): DirectPort<ErasableRows> => {
  const pluck = createColumnReader(db);
  const count = pluck.one<[PersonId], number>("SELECT count(*) FROM instructions WHERE set_by = ?");
  const groups = tables.flatMap(({ erase: { person } }) => (person.kind === "person" ? [person] : []));
  const erasers = groups.flatMap(({ sql }) =>
    sql.map((one) => db.prepare<[{ readonly person: PersonId }]>(one)),
  );
  const told = groups.flatMap((one) =>
    one.told === undefined ? [] : [db.prepare<[PersonId], ErasureAudience>(one.told)],
  );
  return {
    instructed: (person) => count(person) ?? 0,
    toldFor: (person) => told.flatMap((select) => select.all(person)),
    forgetBeside: doing((person) => {
      for (const eraser of erasers) eraser.run({ person });
    }),
  };
};
