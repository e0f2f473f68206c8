/** The replica of a host that is not a member yet, from the first row on. */

import type { Database } from "better-sqlite3";
import { SCHEMA } from "../../../store/base/migrations.ts";
import { type DatabaseLink, type LinkTrouble, type LinkRefusal, linkRefusal } from "./link.ts";
import type { HostStart } from "./push.ts";
import {
  aheadOf,
  connectReplica,
  createNote,
  NOWHERE,
  openReplica,
  type DatabaseRows,
} from "./replica-file.ts";
import { createTail, type ReadTail } from "./tail.ts";
import { replaceAllRows } from "./replace-all-rows.ts";

const NO_TABLES: ReadonlySet<string> = new Set();
/** Placeholder for a host that is not a member. */
const NOBODY: HostStart = { name: "", instance: "00000000-0000-0000-0000-000000000000" };

export const createStandbySync = (file: string, id: string, link: DatabaseLink) => {
  let replica: { readonly db: Database; readonly schema: number; readonly tail: ReadTail } | null = null;
  let standing = NOWHERE;

  const close = (): void => {
    replica?.db.close();
    replica = null;
  };

  const open = (rows: DatabaseRows, isStale: boolean) => {
    close();
    const opened = openReplica(file, id, rows, isStale);
    if (opened.kind === "refused") return opened;
    ({ standing } = opened);
    const { db } = opened;
    return (replica = { db, schema: rows.schema, tail: createTail(link, db, NOBODY, NO_TABLES) });
  };

  const bring = async (rows: DatabaseRows, isStale = false): Promise<LinkRefusal | LinkTrouble | null> => {
    const used = replica?.schema === rows.schema && !isStale ? replica : open(rows, isStale);
    if ("kind" in used) return used;
    const tailed = await used.tail(standing);
    if (tailed.kind === "trouble") return tailed;
    if (tailed.kind === "stale") return bring(rows, true);
    if (tailed.kind === "ahead") return linkRefusal(aheadOf(file, tailed.steps));
    ({ standing } = tailed);
    return null;
  };

  return {
    standing: () => standing,
    close,
    /** Brings the replica up to date, in the schema of the rows; schema 0 means that no rows exist yet. Null on success. */
    keepUp: async (rows: DatabaseRows): Promise<LinkRefusal | LinkTrouble | null> => {
      if (rows.schema > SCHEMA) return linkRefusal(NEWER);
      return bring(rows).catch((error: unknown) => linkRefusal(brokenOf(file, error)));
    },
    /**
     * Upgrades the rows of the database to the schema of this version. The replica contains all rows: it is migrated like any
     * SQLite database, and its rows then replace those of the database. Null on success.
     */
    upgrade: async (): Promise<LinkTrouble | null> => {
      close();
      const db = connectReplica(file, SCHEMA);
      try {
        const put = await replaceAllRows(link, db, standing);
        if (put === null) createNote(db)({ ...standing, seq: standing.seq + 1 });
        return put;
      } finally {
        db.close();
      }
    },
  };
};

const NEWER =
  "A newer Parley wrote the rows in the database of PARLEY_DATABASE. Start that version on this host too.";

/** The disk may be full, or the file damaged. */
const brokenOf = (file: string, error: unknown): string => {
  const found = error instanceof Error ? error.message : String(error);
  return `${file} cannot be updated: ${found}. Free space for the file, or move the file away; Parley then creates a new replica.`;
};
