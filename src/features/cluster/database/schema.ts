/** Tables of the shared database, created and migrated by the first host that needs them. */

import * as z from "zod";
import type { DatabaseLink, LinkTrouble, LinkRefusal } from "./link.ts";

/** Migration n, counted from 1, upgrades schema n-1 to n. */
const MIGRATIONS: readonly string[] = [
  `
CREATE SCHEMA IF NOT EXISTS parley;
CREATE TABLE parley.meta (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version integer NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO parley.meta (version) VALUES (0);

CREATE TABLE parley.rows (
  tbl text NOT NULL,
  key text NOT NULL, -- JSON array of the columns of the primary key
  seq bigint NOT NULL, -- group that wrote the row last
  body json, -- columns by name; null once the row is deleted
  PRIMARY KEY (tbl, key)
);
CREATE INDEX rows_seq ON parley.rows (seq);
CREATE INDEX rows_deleted ON parley.rows (seq) WHERE body IS NULL;

CREATE TABLE parley.lease (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  owner text, -- null: nobody
  epoch bigint NOT NULL DEFAULT 0,
  term uuid NOT NULL DEFAULT gen_random_uuid(), -- of this epoch, in this history of the database
  until timestamptz NOT NULL DEFAULT now(),
  seq bigint NOT NULL DEFAULT 0, -- last group
  pruned bigint NOT NULL DEFAULT 0, -- rows deleted up to this group are gone
  schema integer NOT NULL DEFAULT 0, -- of the rows
  importing text -- what an import that has not ended copies, and how far it came
) WITH (fillfactor = 50);
INSERT INTO parley.lease DEFAULT VALUES;

CREATE TABLE parley.terms (
  epoch bigint PRIMARY KEY,
  term uuid NOT NULL,
  owner text NOT NULL,
  after bigint NOT NULL, -- last group of the term before
  began timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE parley.hosts (
  name text PRIMARY KEY,
  instance uuid NOT NULL, -- one start of the host
  version text NOT NULL,
  schema integer NOT NULL,
  started timestamptz NOT NULL,
  seen timestamptz NOT NULL,
  applied bigint NOT NULL,
  draining boolean NOT NULL
) WITH (fillfactor = 50);
`,
  `
ALTER TABLE parley.hosts
  ADD COLUMN joined bigint, -- epoch in which it became one of the hosts that write; null: it does not write
  ADD COLUMN until timestamptz; -- for how long it surely does

-- What a host asks another one. Nobody needs them after a crash.
CREATE UNLOGGED TABLE parley.errands (
  id uuid PRIMARY KEY,
  asker text NOT NULL,
  host text NOT NULL,
  instance uuid NOT NULL, -- of the host
  body json NOT NULL,
  after bigint NOT NULL, -- group that the host is to have when it begins
  taken boolean NOT NULL DEFAULT false,
  answer json,
  seq bigint, -- group that the asker is to have when it hears the answer; null: there is none yet
  made timestamptz NOT NULL DEFAULT clock_timestamp()
);
`,
  `
ALTER TABLE parley.lease ADD COLUMN barrier bigint NOT NULL DEFAULT 0; -- last group that whoever writes must have
ALTER TABLE parley.hosts ADD COLUMN pushed bigint NOT NULL DEFAULT 0; -- last group of its own
`,
];

/** First keys of the advisory locks. The second key is 0, or the hash of a host's name. */
export const LOCKS = { schema: 0x50726c79, name: 0x50726c7a } as const;

/** SQL condition: whether the process of the host named in the column is connected. */
export const hasLock = (name: string): string => `EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${LOCKS.name}
    AND objid = (hashtext(${name})::bigint & 4294967295)::oid AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

const UNLOCK = `SELECT pg_advisory_unlock(${LOCKS.schema}, 0)`;

export type SchemaResult = { readonly kind: "ready"; readonly id: string } | LinkRefusal | LinkTrouble;

/**
 * Brings the database up to date, one host at a time. A role without the right to create tables can use a database that is up
 * to date.
 */
export const prepareSchema = async (link: DatabaseLink): Promise<SchemaResult> => {
  const before = await look(link);
  if (before.kind !== "found" || before.version >= MIGRATIONS.length) return standing(before);
  // The transaction begins after the lock is granted. A transaction that waited for the lock might not see the changes of
  // another host.
  const begun = await all(link, [`SELECT pg_advisory_lock(${LOCKS.schema}, 0)`, "BEGIN"]);
  const found = begun ?? (await look(link));
  if (found.kind !== "found") return ended(link, found);
  const missing = MIGRATIONS.slice(found.version);
  const version = `UPDATE parley.meta SET version = ${MIGRATIONS.length}`;
  const made = await all(link, [...missing, version, "COMMIT", UNLOCK]);
  return made === null ? standing(await look(link)) : ended(link, made);
};

type Found = { readonly kind: "found"; readonly version: number; readonly id: string } | LinkTrouble;

const metaRow = z.object({ version: z.number(), id: z.string() });

const look = async (link: DatabaseLink): Promise<Found> => {
  const there = await link.ask("SELECT 1 WHERE to_regclass('parley.meta') IS NOT NULL");
  if (there.kind === "trouble") return there;
  if (there.rows.length === 0) return { kind: "found", version: 0, id: "" };
  const meta = await link.ask("SELECT version, id FROM parley.meta");
  return meta.kind === "trouble" ? meta : { kind: "found", ...metaRow.parse(meta.rows[0]) };
};

const standing = (found: Found): SchemaResult => {
  if (found.kind === "trouble") return found;
  if (found.version <= MIGRATIONS.length) return { kind: "ready", id: found.id };
  return {
    kind: "refused",
    why: "A newer Parley wrote the database of PARLEY_DATABASE. Start that version.",
  };
};

const ended = async (link: DatabaseLink, trouble: LinkTrouble): Promise<LinkTrouble> => {
  await all(link, ["ROLLBACK", UNLOCK]);
  return trouble;
};

/** Runs the statements in order; returns the first trouble, or null. */
const all = async (link: DatabaseLink, texts: readonly string[]): Promise<LinkTrouble | null> => {
  for (const text of texts) {
    const answer = await link.ask(text);
    if (answer.kind === "trouble") return answer;
  }
  return null;
};
