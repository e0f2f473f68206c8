/** The replica of a host that stands by, from the first row to the moment in which the host takes over. */

import { SCHEMA } from "../migrations.ts";
import type { Link, LinkTrouble, Refused } from "./link.ts";
import type { Standing } from "./push.ts";
import { aheadOf, openReplica, type Replica, type Rows } from "./replica-file.ts";
import { createTail, type Tail, type Tailed } from "./tail.ts";
import { upgrade } from "./upgrade.ts";

interface Kept {
  readonly kind: "kept";
}
interface Complete {
  readonly kind: "complete";
  readonly standing: Standing;
}

export interface Upkeep {
  /** The last group that the replica has. */
  seq(): number;
  /** Brings it up to `seq`, in the schema that the rows have; 0: there are none yet. */
  keepUp(lease: {
    readonly epoch: number;
    readonly seq: number;
    readonly schema: number;
  }): Promise<Kept | Refused | LinkTrouble>;
  /** After this host took over: everything is there, in the schema of this version, and the file is closed. */
  complete(session: Link): Promise<Complete | Refused | LinkTrouble>;
  close(): void;
}

export const createUpkeep = (file: string, id: string, reading: Link): Upkeep => {
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
    replica = { ...opened, rows, tail: createTail(reading, opened.db) };
    standing = opened.standing;
    return null;
  };

  const bring = async (): Promise<Kept | Refused | LinkTrouble> => {
    const tailed: Tailed = (await replica?.tail(standing)) ?? { kind: "tailed", standing };
    if (tailed.kind === "trouble") return tailed;
    if (tailed.kind === "stale") return replica === null ? GONE : (open(replica.rows, true) ?? bring());
    if (tailed.kind === "ahead") return { kind: "refused", why: aheadOf(file, tailed.steps) };
    standing = tailed.standing;
    return { kind: "kept" };
  };

  return {
    seq: () => standing.seq,
    close,
    keepUp: async (lease) => {
      if (lease.schema > SCHEMA) return { kind: "refused", why: NEWER };
      const refused = replica?.rows.schema === lease.schema ? null : open(lease);
      if (refused !== null) return refused;
      return standing.seq === lease.seq && standing.epoch === lease.epoch ? { kind: "kept" } : bring();
    },
    complete: async (session) => {
      const brought = await bring();
      if (brought.kind !== "kept" || replica === null) return brought.kind === "kept" ? GONE : brought;
      const { schema } = replica.rows;
      close();
      if (schema === SCHEMA) return { kind: "complete", standing };
      const upgraded = await upgrade(file, session, standing);
      return upgraded.kind === "trouble" ? upgraded : { kind: "complete", standing: upgraded.standing };
    },
  };
};

const GONE: Refused = { kind: "refused", why: "This host has no replica. Start it again." };

const NEWER =
  "A newer Parley wrote the rows in the database of PARLEY_DATABASE. Start that version on this host too.";

const orRefused = <T>(file: string, open: () => T): T | Refused => {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      kind: "refused",
      why: `${file} cannot be opened: ${error.message}. Move it away: it is made anew.`,
    };
  }
};
