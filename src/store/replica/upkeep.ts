/** The replica of a host that is no member yet, from the first row on. */

import { connectReplica } from "../connect.ts";
import { SCHEMA } from "../migrations.ts";
import { type Link, type LinkTrouble, type Refused, trouble } from "./link.ts";
import type { Standing, Start } from "./push.ts";
import { aheadOf, createNote, openReplica, type Replica, type Rows } from "./replica-file.ts";
import { createTail, type Tail, type Tailed } from "./tail.ts";
import { putWhole } from "./whole.ts";

/** It is no member. */
const NOBODY: Start = { name: "", instance: "00000000-0000-0000-0000-000000000000" };

interface Kept {
  readonly kind: "kept";
}

export const createUpkeep = (file: string, id: string, link: Link) => {
  let replica: (Replica & { readonly rows: Rows; readonly tail: Tail }) | null = null;
  let standing: Standing = { epoch: 0, term: "", seq: 0 };

  const close = (): void => {
    replica?.db.close();
    replica = null;
  };

  const open = (rows: Rows, isStale = false): Refused | null => {
    close();
    const opened = orRefused(file, () => openReplica(file, id, rows, isStale));
    if (opened.kind === "refused") return opened;
    replica = { ...opened, rows, tail: createTail(link, opened.db, NOBODY) };
    standing = opened.standing;
    return null;
  };

  const bring = async (): Promise<Kept | Refused | LinkTrouble> => {
    if (replica === null) return trouble("away", "the replica is closed");
    const { rows, tail } = replica;
    const tailed: Tailed | Refused = await tail(standing).catch((error: unknown) => refused(file, error));
    if (tailed.kind === "refused" || tailed.kind === "trouble") return tailed;
    if (tailed.kind === "stale") return open(rows, true) ?? bring();
    if (tailed.kind === "ahead") return { kind: "refused", why: aheadOf(file, tailed.steps) };
    standing = tailed.standing;
    return { kind: "kept" };
  };

  return {
    /** What the replica has. */
    standing: () => standing,
    close,
    /** Brings it up to `seq`, in the schema that the rows have; 0: there are none yet. */
    keepUp: async (lease: Standing & { readonly schema: number }): Promise<Kept | Refused | LinkTrouble> => {
      if (lease.schema > SCHEMA) return { kind: "refused", why: NEWER };
      const unopened = replica?.rows.schema === lease.schema ? null : open(lease);
      if (unopened !== null) return unopened;
      return bring();
    },
    /**
     * Brings the rows of the database to the schema of this version: the replica, which has all of them, is migrated as every
     * SQLite database is, and put in their place. Null: it is done.
     */
    upgrade: async (): Promise<LinkTrouble | null> => {
      close();
      const db = connectReplica(file, SCHEMA);
      try {
        const put = await putWhole(link, db, standing, false);
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

const orRefused = <T>(file: string, open: () => T): T | Refused => {
  try {
    return open();
  } catch (error) {
    return refused(file, error);
  }
};

/** Its disk is full, or the file is damaged. */
const refused = (file: string, error: unknown): Refused => {
  const found = error instanceof Error ? error.message : String(error);
  const why = `${file} cannot be kept up: ${found}. Make room for it, or move it away: it is made anew.`;
  return { kind: "refused", why };
};
