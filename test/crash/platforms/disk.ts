/** A disk that refuses some batches of writes: full, or read-only. SQLite itself says so. */

import type { Database } from "better-sqlite3";
import type { WriteFailure } from "../../../src/ports/host.ts";
import { attemptWrite } from "../../../src/store/base/write.ts";
import type { StartWriter } from "../../../src/store/write/writer.ts";
import { writeHere } from "../../store/in-memory.ts";

export interface Disk {
  readonly kind: "full" | "read-only";
  /** Whether it refuses the batch of that number, from 0. */
  readonly refuses: (batch: number) => boolean;
}

export interface Worn {
  readonly start: StartWriter;
  /** Batches so far, and writes that were refused. */
  batches(): number;
  refused(): number;
}

export const wornDisk = (disk: Disk | null): Worn => {
  let batches = 0;
  let refused = 0;
  return {
    batches: () => batches,
    refused: () => refused,
    start: (opened) => {
      const { db } = opened;
      const writer = writeHere(opened);
      return {
        ...writer,
        run: async (jobs) => {
          const number = batches++;
          if (disk === null || !disk.refuses(number)) return writer.run(jobs);
          refused += jobs.length;
          return jobs.map(() => refusals[disk.kind](db));
        },
      };
    },
  };
};

/** More than the free pages of any day's database hold. */
const LARGE = 8 * 1024 * 1024;

/** What SQLite says then, and what becomes of it on the way to the caller. */
const refusals: Readonly<Record<Disk["kind"], (db: Database) => WriteFailure>> = {
  full: (db) => {
    const room = db.pragma("max_page_count", { simple: true });
    db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true }))}`);
    const refusal = refusalOf(db);
    db.pragma(`max_page_count = ${Number(room)}`);
    return refusal;
  },
  "read-only": (db) => {
    db.pragma("query_only = ON");
    const refusal = refusalOf(db);
    db.pragma("query_only = OFF");
    return refusal;
  },
};

const refusalOf = (db: Database): WriteFailure => {
  const answer = attemptWrite(() => {
    db.exec(`CREATE TABLE ballast AS SELECT zeroblob(${LARGE}) AS ballast`);
    return { kind: "stored" } as const;
  });
  if (answer.kind === "failed") return answer;
  throw new Error("the disk took it");
};
