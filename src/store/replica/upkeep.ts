/** The replica of a host that is no member yet, from the first row on. */

import { SCHEMA } from "../migrations.ts";
import { type Link, type LinkTrouble, type Refused, trouble } from "./link.ts";
import type { Standing } from "./push.ts";
import { aheadOf, openReplica, type Replica, type Rows } from "./replica-file.ts";
import { createTail, type Tail, type Tailed } from "./tail.ts";
import { upgrade, type Upgraded } from "./upgrade.ts";

interface Kept {
  readonly kind: "kept";
}

export interface Upkeep {
  /** What the replica has. */
  standing(): Standing;
  /** Brings it up to `seq`, in the schema that the rows have; 0: there are none yet. */
  keepUp(lease: Standing & { readonly schema: number }): Promise<Kept | Refused | LinkTrouble>;
  /** Brings the rows of the database to the schema of this version. */
  upgrade(): Promise<Upgraded | LinkTrouble>;
  close(): void;
}

export const createUpkeep = (file: string, id: string, link: Link): Upkeep => {
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
    replica = { ...opened, rows, tail: createTail(link, opened.db) };
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
    standing: () => standing,
    close,
    keepUp: async (lease) => {
      if (lease.schema > SCHEMA) return { kind: "refused", why: NEWER };
      const unopened = replica?.rows.schema === lease.schema ? null : open(lease);
      if (unopened !== null) return unopened;
      return bring();
    },
    upgrade: async () => {
      close();
      return upgrade(file, link, standing);
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
