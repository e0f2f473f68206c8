/** Writes of which some are hindered, as data. */

import type { Database } from "better-sqlite3";
import fc from "fast-check";
import type { ConversationId } from "../../../src/machine/id.ts";
import { rowsOf } from "../../../src/store/tables/step-rows.ts";
import type { WriteJob } from "../../../src/store/write/write-job.ts";
import { openWithConnection } from "../kit.ts";
import { begin, claimOf, commitOf, notice, stateOf } from "../plain.ts";

/** How the database answers a write: the statement fails, everything of the transaction is undone, or its end fails. */
export type Fate = "well" | "refused" | "undone" | "refused at the end";

export const FATES: readonly Fate[] = [
  "well",
  "well",
  "well",
  "well",
  "refused",
  "undone",
  "refused at the end",
];

export const hinder = (db: Database): void => {
  db.exec(`
    CREATE TABLE parents (id TEXT PRIMARY KEY);
    CREATE TABLE orphans (id TEXT REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER refused BEFORE INSERT ON messages WHEN NEW.words LIKE '%"refused"%'
      BEGIN SELECT RAISE(ABORT, 'refused'); END;
    CREATE TRIGGER undone BEFORE INSERT ON messages WHEN NEW.words LIKE '%"undone"%'
      BEGIN SELECT RAISE(ROLLBACK, 'undone'); END;
    CREATE TRIGGER late BEFORE INSERT ON messages WHEN NEW.words LIKE '%"refused at the end"%'
      BEGIN INSERT INTO orphans VALUES ('nobody'); END;`);
};

export const CONVERSATIONS: readonly ConversationId[] = ["c-1", "c-2", "c-3"];

export const prepared = () => {
  const opened = openWithConnection();
  for (const id of CONVERSATIONS) begin(opened.store, id);
  hinder(opened.db);
  return opened;
};

export interface Wish {
  readonly conversation: ConversationId;
  readonly kind: "step" | "answering step" | "claim" | "refuse" | "title" | "bind" | "put";
  readonly fate: Fate;
}

export const wishOf = (fates: readonly Fate[] = FATES): fc.Arbitrary<Wish> =>
  fc.record({
    conversation: fc.constantFrom(...CONVERSATIONS),
    kind: fc.constantFrom("step", "step", "answering step", "claim", "refuse", "title", "bind", "put"),
    fate: fc.constantFrom(...fates),
  });

/** The n-th write; a step is the n-th of its conversation whatever became of those before. */
export const jobOf = ({ conversation, kind, fate }: Wish, n: number): WriteJob => {
  const thread = { conversation, surface: "slack", place: "C1", root: conversation };
  switch (kind) {
    case "step":
    case "answering step":
      return {
        port: "store",
        name: "step",
        given: [
          rowsOf(
            commitOf(
              { ...stateOf(conversation), seq: n },
              {
                words: [{ id: `m-${n}`, words: { kind: "comment", text: fate } }],
                posts: [notice(`p${n % 3}`, n)],
                claim: kind === "step" ? null : claimOf(conversation),
              },
            ),
          ),
        ],
      };
    case "claim":
      return { port: "store", name: "claim", given: [claimOf(conversation, { conversation })] };
    case "refuse":
      return { port: "store", name: "refuse", given: [claimOf(conversation), "agent_busy", n] };
    case "title":
      return { port: "store", name: "setTitle", given: [conversation, `title ${n}`, null] };
    case "bind":
      return { port: "ledger", name: "bind", given: [thread] };
    case "put": {
      const row = { key: "a#0", post: "a", wire: "w", id: null, hash: `h${n}`, state: "sending" } as const;
      return { port: "ledger", name: "put", given: [conversation, row] };
    }
  }
};

export const inPieces = (jobs: readonly WriteJob[], size: number): readonly (readonly WriteJob[])[] =>
  jobs.length === 0 ? [] : [jobs.slice(0, size), ...inPieces(jobs.slice(size), size)];
