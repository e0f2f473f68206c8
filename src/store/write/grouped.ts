/** The ports of a store: reading beside the database, writing through the group. */

import type { AlertRows } from "../../ports/alerts.ts";
import type { ChatStore, Cursors } from "../../ports/chat-rows.ts";
import type { Spending } from "../../ports/money.ts";
import type { Search } from "../../ports/search.ts";
import type { Store } from "../../ports/store.ts";
import type { Ledger } from "../../ports/surface.ts";
import { committed, rowsOf } from "../tables/step-rows.ts";
import type { Parts } from "./direct.ts";
import type { Group } from "./group.ts";
import { type Job, written } from "./write-job.ts";
import { attempt } from "./write.ts";

export const createGroupedStore = ({ store }: Parts, group: Group, close: () => Promise<void>): Store => {
  const done = (job: Job) => group.write(job, written.done);
  return {
    ...store,
    commit: async (commit) => {
      const rows = attempt(() => ({ kind: "step", rows: rowsOf(commit) }) as const);
      return rows.kind === "failed" ? rows : committed(commit, await group.write(rows, written.committed));
    },
    create: (...given) => group.write({ kind: "create", given }, written.created),
    claim: (...given) => group.write({ kind: "claim", given }, written.claimed),
    setBase: (...given) => done({ kind: "setBase", given }),
    setTitle: (...given) => done({ kind: "setTitle", given }),
    setArchived: (...given) => done({ kind: "setArchived", given }),
    hide: (...given) => done({ kind: "hide", given }),
    removeSome: () => group.write({ kind: "removeSome" }, written.removed),
    looseBlobs: () => group.write({ kind: "looseBlobs" }, written.loose),
    dropBlobs: (...given) => done({ kind: "dropBlobs", given }),
    refuse: (...given) => done({ kind: "refuse", given }),
    uninstruct: (...given) => done({ kind: "uninstruct", given }),
    close,
  };
};

export const createGroupedLedger = ({ ledger }: Parts, group: Group): Ledger => {
  const done = (job: Job) => group.write(job, written.done);
  return {
    ...ledger,
    bind: (...given) => done({ kind: "bind", given }),
    put: (...given) => done({ kind: "put", given }),
    drop: (...given) => done({ kind: "drop", given }),
    settle: (...given) => done({ kind: "settle", given }),
  };
};

export const createGroupedChat = ({ chat }: Parts, group: Group): ChatStore => {
  const done = (job: Job) => group.write(job, written.done);
  return {
    ...chat,
    arrive: (...given) => group.write({ kind: "arrive", given }, written.arrived),
    settle: (...given) => done({ kind: "handled", given }),
    forget: (...given) => done({ kind: "forget", given }),
    bind: (...given) => done({ kind: "bindRepo", given }),
    instruct: (...given) => done({ kind: "instruct", given }),
    setChannel: (...given) => done({ kind: "setChannel", given }),
    setAnnounced: (...given) => done({ kind: "announced", given }),
    joined: (...given) => done({ kind: "joined", given }),
    setHeard: (...given) => done({ kind: "heard", given }),
    owe: (...given) => done({ kind: "owe", given }),
    told: (...given) => done({ kind: "told", given }),
  };
};

export const createGroupedCursors = ({ cursors }: Parts, group: Group): Cursors => ({
  ...cursors,
  tighten: (...given) => group.write({ kind: "tighten", given }, written.done),
});

export const createGroupedPurse = ({ purse }: Parts, group: Group): Spending => {
  const done = (job: Job) => group.write(job, written.done);
  return {
    ...purse,
    spend: (...given) => done({ kind: "spend", given }),
    carry: (...given) => done({ kind: "carry", given }),
    setBudget: (...given) => done({ kind: "setBudget", given }),
  };
};

export const createGroupedSearch = ({ search }: Parts, group: Group): Search => ({
  ...search,
  index: () => group.write({ kind: "index" }, written.indexed),
});

export const createGroupedAlerts = ({ alerts }: Parts, group: Group): AlertRows => {
  const done = (job: Job) => group.write(job, written.done);
  return {
    ...alerts,
    putAlert: (...given) => done({ kind: "putAlert", given }),
    dropAlert: (...given) => done({ kind: "dropAlert", given }),
    setNote: (...given) => done({ kind: "setNote", given }),
  };
};
