/** What the thread of the index does (writer.ts), and what it answers. */

import type { Database } from "better-sqlite3";
import { isDamage, recreateIndex, openIndexForWriting } from "./schema.ts";
import { type PageRead, type PageSource, readPage } from "./site/page.ts";
import { createIndexWriter, type IndexWriter } from "./write-index.ts";

/** What the index is given to write, by its verb. */
type Write = {
  readonly [Verb in keyof IndexWriter]: {
    readonly kind: Verb;
    readonly given: Parameters<IndexWriter[Verb]>;
  };
}[keyof IndexWriter];

export type IndexJob =
  | Write
  | { readonly kind: "rebuild" }
  | { readonly kind: "page"; readonly page: PageSource };

export type JobAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "page"; readonly page: PageRead }
  /** The file was damaged: there is an empty one in its place. */
  | { readonly kind: "rebuilt" }
  | { readonly kind: "failed"; readonly why: string };

/** Texts went: those of a round's end, of sources that are no more, or threads whose words were taken back. */
const drops = (job: Write): boolean =>
  job.kind === "keep" ||
  (job.kind === "take" &&
    job.given.some(({ gone, ended }) => (gone ?? []).length > 0 || ended !== undefined));

/** Words that went stand in the log until it is emptied. Somebody who reads keeps it for now; the next time is soon. */
const vacate = (db: Database): void => {
  db.pragma("wal_checkpoint(TRUNCATE)");
};

/** `name`: of the file. */
export const createJobs = (name: string): ((job: IndexJob) => JobAnswer) => {
  let db = openIndexForWriting(name);
  let writer = createIndexWriter(db);
  const rebuild = (): JobAnswer => {
    db.close();
    db = recreateIndex(name);
    writer = createIndexWriter(db);
    return { kind: "rebuilt" };
  };
  return (job) => {
    try {
      if (job.kind === "rebuild") return rebuild();
      if (job.kind === "page") return { kind: "page", page: readPage(job.page) };
      Reflect.apply(writer[job.kind], writer, job.given);
      if (drops(job)) vacate(db);
      return { kind: "done" };
    } catch (error) {
      return isDamage(error)
        ? rebuild()
        : { kind: "failed", why: error instanceof Error ? error.message : String(error) };
    }
  };
};
