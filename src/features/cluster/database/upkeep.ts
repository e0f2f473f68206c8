/** The replica of a host that is no member yet, from the first row on. */

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
import { replaceAllRows } from "./whole.ts";

const NO_TABLES: ReadonlySet<string> = new Set();
/** It is no member. */
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
    /** What the replica has. */
    standing: () => standing,
    close,
    /** Brings it up, in the schema that the rows have; 0: there are none yet. Null: it is up. */
    keepUp: async (rows: DatabaseRows): Promise<LinkRefusal | LinkTrouble | null> => {
      if (rows.schema > SCHEMA) return linkRefusal(NEWER);
      return bring(rows).catch((error: unknown) => linkRefusal(brokenOf(file, error)));
    },
    /**
     * Brings the rows of the database to the schema of this version: the replica, which has all of them, is migrated as every
     * SQLite database is, and put in their place. Null: it is done.
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

/** Its disk is full, or the file is damaged. */
const brokenOf = (file: string, error: unknown): string => {
  const found = error instanceof Error ? error.message : String(error);
  return `${file} cannot be kept up: ${found}. Make room for it, or move it away: it is made anew.`;
};
